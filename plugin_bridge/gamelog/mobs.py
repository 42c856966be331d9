"""What kills and is no player: the game's own names for mobs and things, of one word.

Those of several words cannot be mistaken for a player's name.
"""

_WORDS = """
Allay Armadillo Arrow Axolotl Bat Bee Blaze Bogged Breeze Camel Cat Chicken Cod Cow Creaking
Creeper Dolphin Donkey Dragon Drowned Enderman Endermite Evoker Fireball Fox Frog Ghast Giant
Goat Guardian Hoglin Horse Husk Illusioner Llama Magic Mooshroom Mule Nautilus Ocelot Panda
Parched Parrot Phantom Pig Piglin Pillager Pufferfish Rabbit Ravager Salmon Sheep Shulker
Silverfish Skeleton Slime Sniffer Snowball Spider Squid Stray Strider Tadpole TNT Trident Turtle
Vex Villager Vindicator Warden Witch Wither Wolf Zoglin Zombie
"""
MOBS = frozenset(_WORDS.split())
