/* The arithmetic of one counted kill (sections 3 to 6, the consistent preset) in plain C: what the
   machine needs at the least. No memory of pairs, nobody leaves the active set, no rank index. */
#include <math.h>

#define WINDOW 20
#define RECENT 5
#define TIERS 15
#define DAY 86400.0
#define UNIT 1099511627776.0 /* 2^40, the grid of the sums */

typedef __int128 sum;

typedef struct {
    double mu, sigma, trend, pool, last_event, promotion, demotion;
    double window[WINDOW], recent[RECENT];
    long streak, events, tier, returning, oldest, active;
} player;

typedef struct {
    double mu_0, mu_min, mu_max, sigma_0, sigma_min, sigma_max, gamma, sigma_peak, eta_min, eta_max;
    double rho_s, s_max, rho_v, w_ref, gamma_phi, lambda_phi, c_loss, theta, lambda_, tau;
    double sigma_drift, delta_max, t_return, alpha, lambda_pool, h_req;
    double return_events;
    double boundaries[TIERS - 1];
} numbers;

typedef struct {
    sum sigma, active_mu;
    long players, active;
} totals;

static double clip(double x, double low, double high) { return x < low ? low : x > high ? high : x; }
static sum grid(double x) { return (sum)(x * UNIT); }
static double mean(sum total, long count) { return (double)total / (count * UNIT); }

static double rate(const player *one, double sigma, const numbers *p)
{
    double peak = 2.0 * sigma * p->sigma_peak / (sigma * sigma + p->sigma_peak * p->sigma_peak);
    double base = p->eta_min + (p->eta_max - p->eta_min) * peak;
    double hot = 1.0 + p->rho_s * fmin((double)one->streak, p->s_max);
    double shaken = 0.0;
    for (int i = 0; i < WINDOW; i++)
        shaken += one->window[i];
    double calm = 1.0 / (1.0 + p->rho_v * (shaken / WINDOW) / p->w_ref);
    return base * hot * calm * (1.0 + p->gamma_phi * fmax(0.0, one->trend));
}

static void judge(player *one, const numbers *p)
{
    double mu = one->mu;
    if (one->tier > 1 && mu >= p->boundaries[one->tier - 2]) {
        one->promotion += mu - p->boundaries[one->tier - 2];
        one->demotion = 0.0;
        if (one->promotion >= p->h_req) {
            one->tier--;
            one->promotion = 0.0;
        }
    } else if (one->tier < TIERS && mu < p->boundaries[one->tier - 1]) {
        one->demotion += p->boundaries[one->tier - 1] - mu;
        one->promotion = 0.0;
        if (one->demotion >= p->h_req) {
            one->tier++;
            one->demotion = 0.0;
        }
    } else {
        one->promotion = one->demotion = 0.0;
    }
}

typedef struct {
    double mu, sigma;
    long guarded;
} part;

static part arrive(const player *one, double time, double active_mean, const numbers *p)
{
    double days = time > one->last_event ? (time - one->last_event) / DAY : 0.0;
    part it = {one->mu, one->sigma, days > p->t_return ? (long)p->return_events : one->returning};
    if (days > 0.0) {
        it.mu = active_mean + (one->mu - active_mean) * exp(-days / p->tau);
        it.sigma = fmin(p->sigma_max, one->sigma + p->sigma_drift * days);
    }
    return it;
}

static void settle(player *one, part it, double raw, double surprise, double time, long streak,
                   const numbers *p, totals *all)
{
    double change = raw;
    if (it.guarded) {
        double effective = raw * (p->sigma_0 / (it.sigma + p->sigma_0));
        double released = p->lambda_pool * one->pool;
        change = (1.0 - p->alpha) * effective + released;
        one->pool = clip(one->pool - released + p->alpha * effective, -p->delta_max, p->delta_max);
    } else if (one->pool != 0.0) {
        double released = p->lambda_pool * one->pool;
        change = raw + released;
        one->pool -= released;
        if (fabs(one->pool) < 1e-9)
            one->pool = 0.0;
    }
    double mu = clip(it.mu + clip(change, -p->delta_max, p->delta_max), p->mu_min, p->mu_max);
    change = mu - it.mu;
    double sharper = 1.0 / sqrt(1.0 / (it.sigma * it.sigma + change * change) +
                                1.0 / (p->gamma * p->gamma));
    double sigma = clip(sharper, p->sigma_min, p->sigma_max);
    all->sigma += grid(sigma) - grid(one->sigma);
    if (one->active)
        all->active_mu += grid(mu) - grid(one->mu);
    one->mu = mu;
    one->sigma = sigma;
    one->trend = clip((1.0 - p->lambda_phi) * one->trend + p->lambda_phi * surprise, -1.0, 1.0);
    one->streak = streak;
    one->events++;
    one->last_event = fmax(one->last_event, time);
    one->window[one->oldest] = fabs(change);
    one->oldest = one->oldest + 1 == WINDOW ? 0 : one->oldest + 1;
    for (int i = 1; i < RECENT; i++)
        one->recent[i - 1] = one->recent[i];
    one->recent[RECENT - 1] = time;
    one->returning = it.guarded ? it.guarded - 1 : 0;
    judge(one, p);
}

/* Rates kills one after another; `chances` takes the probability of each. */
void rate_kills(player *players, totals *all, const numbers *p, long count, const int *killers,
                const int *victims, const double *times, double *chances)
{
    for (long i = 0; i < count; i++) {
        player *a = players + killers[i], *b = players + victims[i];
        double centre = mean(all->active_mu, all->active);
        part ours = arrive(a, times[i], centre, p), theirs = arrive(b, times[i], centre, p);
        sum moved = grid(ours.sigma) - grid(a->sigma) + grid(theirs.sigma) - grid(b->sigma);
        double spread = mean(all->sigma + moved, all->players);
        double chance = 0.5 + atan((ours.mu - theirs.mu) / (p->theta + p->lambda_ * spread)) / M_PI;
        double surprise = 1.0 - chance;
        double gain = rate(a, ours.sigma, p) * surprise;
        double loss = -p->c_loss * rate(b, theirs.sigma, p) * surprise;
        settle(a, ours, gain, surprise, times[i], a->streak + 1, p, all);
        settle(b, theirs, loss, -surprise, times[i], 0, p, all);
        chances[i] = chance;
    }
}
