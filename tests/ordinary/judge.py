"""Whether a run looks as it should: what `--stats` wrote against a list of checks.

    E      nothing drives it: kinetic + potential energy never exceeds its start by more than 5 % of what it had to give
           (its kinetic energy at the start, or the potential energy that it has lost at its lowest)
    R      it comes to rest: kinetic energy at the end below 1e-3 of its largest
    S=x    99th percentile of strain of every body at the end at most x;  M=x  the largest strain at any time at most x
    L=x    free in space: angular momentum changes by at most x of itself;  K=x  so does kinetic energy
    X      no intersections in any frame
    P=x    a stack stands: it loses at most x of its potential energy;  A=x  no body's centre ends below the height x [m]
    C=x    nothing adds energy or takes it away: total energy stays within x of what it had to give (as in E)
    T=x    all gaps of glue together are never more than x [m]
    U=x    what passes through itself at the start does not at the end; kinetic energy stays below x times that of the fall
    G=x    no gap of glue larger than x [m] once it has closed (`glue_gap` in the statistics; left out where there is none)
"""
import json, math, pathlib, subprocess, tempfile

TOO_LONG = 300  # [s]


def energy_grows(frames, _):
    kinetic = [f["kinetic_energy"] for f in frames]
    potential = [f["potential_energy"] for f in frames]
    total = [k + p for k, p in zip(kinetic, potential)]
    over = max(total) - total[0]
    if over > 0.05 * max(kinetic[0], potential[0] - min(potential)) + 1e-4: return f"energy grows by {over:.3g} J"


def moves_on(frames, _):
    last, top = frames[-1]["kinetic_energy"], max(f["kinetic_energy"] for f in frames) or 1e-30
    if last > 1e-3 * top: return f"not at rest: {last:.3g} J of {top:.3g}"


def p99_strain(frames, x):
    if (s := max(frames[-1]["p99_strain"].values(), default=0)) > x: return f"p99 strain {s:.3g}"


def max_strain(frames, x):
    if (s := max(max(f["max_strain"].values(), default=0) for f in frames)) > x: return f"strain {s:.3g}"


def spin_changes(frames, x):
    first, last = frames[0]["angular_momentum"], frames[-1]["angular_momentum"]
    change = math.dist(first, last) / (math.hypot(*first) or 1e-30)
    if change > x: return f"angular momentum changes by {change:.3g}"


def kinetic_changes(frames, x):
    change = frames[-1]["kinetic_energy"] / frames[0]["kinetic_energy"] - 1
    if abs(change) > x: return f"kinetic energy changes by {change:+.3g}"


def intersects(frames, _):
    if n := max(f["intersections"] for f in frames): return f"{n} intersections"


def stays_tangled(frames, x):
    if frames[0]["intersections"] == 0: return "nothing was tangled"
    if n := frames[-1]["intersections"]: return f"{n} intersections left of {frames[0]['intersections']}"
    given = frames[0]["potential_energy"] - min(f["potential_energy"] for f in frames)
    if (share := max(f["kinetic_energy"] for f in frames) / given) > x: return f"{share:.3g} times the energy of its fall"


def sinks(frames, x):
    potential = [f["potential_energy"] for f in frames]
    if (lost := 1 - min(potential) / potential[0]) > x: return f"loses {lost:.3g} of its height"


def falls_through(frames, x):
    if low := [n for n, c in frames[-1]["center"].items() if c[1] < x]: return f"fell through: {', '.join(low)}"


def gap_opens(frames, x):
    if "glue_gap" not in frames[-1]: return None
    if (gap := max(f["glue_gap"] for f in frames)) > x: return f"gap {gap:.3g} m"


def energy_changes(frames, x):
    total, potential = ([f[key] for f in frames] for key in ("total_energy", "potential_energy"))
    scale = max(frames[0]["kinetic_energy"], potential[0] - min(potential))
    low, high = (min(total) - total[0]) / scale, (max(total) - total[0]) / scale
    if max(-low, high) > x: return f"total energy changes by {low:+.3g} and {high:+.3g}"


def gaps_add_up(frames, x):
    if (gap := max(sum(g["gap"] for g in f["glue"].values()) for f in frames)) > x: return f"gaps of {gap:.3g} m together"


CHECKS = {"E": energy_grows, "R": moves_on, "S": p99_strain, "M": max_strain, "L": spin_changes, "K": kinetic_changes,
          "X": intersects, "P": sinks, "A": falls_through, "G": gap_opens,
          "C": energy_changes, "T": gaps_add_up, "U": stays_tangled}


def judge(frames, checks):
    """What is wrong with a run, one text for each check that fails."""
    bad = []
    for check in checks:
        key, _, limit = check.partition("=")
        if text := CHECKS[key](frames, float(limit) if limit else None): bad.append(text)
    return bad


def run(pliant, name, scene, checks):
    """Runs a scene, a dictionary, and judges it."""
    with tempfile.TemporaryDirectory() as folder:
        copy, stats = pathlib.Path(folder, name + ".json"), pathlib.Path(folder, "stats.json")
        copy.write_text(json.dumps(scene))
        command = [pliant, "run", copy, "--quiet", "--threads", "1", "--stats", stats]
        try:
            r = subprocess.run(command, capture_output=True, text=True, timeout=TOO_LONG)
        except subprocess.TimeoutExpired:
            return [f"not done in {TOO_LONG} s"]
        if r.returncode: return [f"exit {r.returncode}: {r.stderr.strip()[:100]}"]
        return judge(json.loads(stats.read_text())["frames"], checks)
