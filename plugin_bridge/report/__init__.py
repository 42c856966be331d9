"""The report for admins: one HTML file that needs nothing else. Pure, from values to text.

facts       what is reported
suspects    pairs of players that look like farming, and why
strengths   how strong players are by who killed whom alone
markup      elements that cannot be broken by any name in them
charts      pictures as inline SVG
page        the whole document
"""
