#!/usr/bin/env python3
"""Opens reports in headless Chromium. Nothing is requested, no error occurs, and the answer is on the first screen.
Every chart is drawn and has sentences; search and sorting work. The page works in dark mode, on a narrow screen, on
paper, by keyboard and without JavaScript.

    run.py --program FILE [--pictures FOLDER]

Option --pictures keeps a picture of every report at 1400 and 390 pixels. Ends with 77 without Chromium."""
import argparse
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, find_chromium  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FIXTURES = os.path.join(ROOT, "tests", "cli", "fixtures")
EVIL = "<img src=x onerror=window.hacked=1>"  # a kernel's name, which has no slash
BYTES_MAX = 3 << 20
failures = []


def check(good, what, *more):
    if not good:
        failures.append(what)
        print("FAILED: " + what, *more)


# ---- Reports ----

def hostile(folder):
    """Writes markup wherever a file can have text."""
    path = os.path.join(folder, "hostile.csv")
    evil = "<script>window.hacked=1</script>\"'&--></script><!--" + EVIL
    rows = ["%d,\"<b onclick=\"\"x()\"\">%d</b>\",%s,%s,\"%s\"" % (
        i, i % 3, "ok" if i % 4 else "compile_error", 1000 + i if i % 4 else "", "" if i % 4 else evil.replace('"', '""'))
        for i in range(40)]
    with open(path, "w", encoding="utf-8") as file:
        file.write("# cutune journal 1\n")
        for key in ("kernel", "title", "problem", "options", "nvrtc", "created", "device", "driver"):
            file.write("# %s = %s\n" % (key, EVIL if key == "kernel" else evil[:31] if key == "driver" else evil))
        file.write('# parameters = 2\n"</td>",%s,status,time_ns,message\n' % '"<i>I"')
        file.write("\n".join(rows) + "\n")
    return path


def large(folder):
    """20,000 configurations."""
    path = os.path.join(folder, "large.csv")
    chance = random.Random(1)
    rows = [(a, b, c, d) for a in range(40) for b in range(50) for c in range(2) for d in ("w", "x", "y", "z", "v")]
    chance.shuffle(rows)
    with open(path, "w", encoding="utf-8") as file:
        file.write("# cutune journal 1\n# kernel = large\n# problem = N=1\n# options = cache=cold\n# device = Sample\n# bytes = 1000000\n"
                   "# copy_ceiling = 3000000000000\n# default = A=1 B=1 C=1 D=w\n# parameters = 4\n"
                   "A,B,C,D,status,time_ns,low_ns,high_ns,samples,registers,message\n")
        for a, b, c, d in rows:
            time_ns = 400000 * (1 + abs(a - 7) / 9) * (1 + abs(b - 11) / 30) * (1 + c / 20) * chance.uniform(0.98, 1.02)
            if chance.random() < 0.05:
                file.write("%d,%d,%d,%s,compile_error,,,,0,,error number %d\n" % (a, b, c, d, chance.randrange(9999)))
            else:
                file.write("%d,%d,%d,%s,ok,%.0f,%.0f,%.0f,9,32,\n" % (a, b, c, d, time_ns, 0.99 * time_ns, 1.01 * time_ns))
    return path


def imported(program, folder):
    """Another tool's table."""
    table, path = os.path.join(folder, "table.csv"), os.path.join(folder, "imported.csv")
    with open(table, "w", encoding="utf-8") as file:
        file.write("TILE,PAD,time\n" + "".join("%d,%d,%d\n" % (t, p, 100 + t + 7 * p) for t in (8, 16, 32) for p in (0, 1)))
    subprocess.run([program, "import", table, "--time", "time", "--unit", "us", "-o", path], check=True, timeout=60)
    return path


def clocked(folder):
    """More parameters than paper is wide, and a clock that falls."""
    path = os.path.join(folder, "clocked.csv")
    names = ["PARAMETER_%d" % i for i in range(18)]
    with open(path, "w", encoding="utf-8") as file:
        file.write("# cutune journal 1\n# kernel = clocked\n# options = cache=cold\n# parameters = 18\n")
        file.write(",".join(names) + ",status,time_ns,low_ns,high_ns,registers,occupancy,clock_mhz,message\n")
        for row in range(40):
            values = [str(row * (i + 3) % 5) for i in range(18)]
            file.write(",".join(values) + ",ok,%d,%d,%d,%d,%g,%d,\n" % (
                100000 + 1000 * row, 99900 + 1000 * row, 100100 + 1000 * row, 32 + row % 4, 1 / (1 + row % 3), 1980 - 20 * row))
    return path


def make_reports(program, folder):
    recorded = sorted(glob.glob(os.path.join(ROOT, "db", "recorded", "*.NVIDIA-H200.*")))
    fixtures = [os.path.join(FIXTURES, name) for name in ("device_a.csv", "device_b.csv", "device_a_later.csv")]
    # Drawing all charts of the collection takes half a minute: it is opened once, and a part of it repeatedly.
    inputs = {"collection": recorded, "recorded": recorded[::4], "compared": fixtures, "hostile": [hostile(folder)],
              "large": [large(folder)], "imported": [imported(program, folder)], "clocked": [clocked(folder)], "regression": fixtures[::2],
              "database": [os.path.join(ROOT, "tests", "unit", "formats", "database-1.csv")]}
    reports = {}
    for name, files in inputs.items():
        reports[name] = os.path.join(folder, name + ".html")
        subprocess.run([program, "report", "-o", reports[name]] + files, check=True, timeout=60)
    return reports


# ---- Checks of one open page ----

def check_quiet(browser, name):
    """Checks that no error occurred, and that only the page itself was requested."""
    for method, event in browser.events:
        if method in ("Runtime.exceptionThrown", "Log.entryAdded"):
            check(False, name + ": the browser complains", event)
        elif method == "Runtime.consoleAPICalled":
            check(False, name + ": the page writes to the console", event)
        elif method == "Network.requestWillBeSent":
            url = event["request"]["url"]
            check(url.endswith("/" + name + ".html") or url.startswith("data:"), name + ": a request", url)


def check_charts(browser, name):
    """Checks that every canvas has enough pixels that differ from its corner."""
    drawn = browser.evaluate("""Array.from(document.querySelectorAll("canvas")).map(canvas => {
        const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return pixels.reduce((count, pixel) => count + (pixel !== pixels[0]), 0);
    })""")
    specs = browser.evaluate('JSON.parse(document.getElementById("charts").textContent).length')
    check(len(drawn) == specs, name + ": a canvas for each chart", len(drawn), specs)
    check(all(count > 500 for count in drawn), name + ": every chart is drawn", drawn)
    return len(drawn)


CHARTS = {  # required titles, and forbidden titles of a report: unrecorded data has no chart
    "recorded": ({"Convergence", "Registers", "Occupancy", "Importance of the parameters"}, set()),
    "clocked": ({"Convergence", "Registers", "Occupancy", "Clock"}, {"Traffic of all configurations against the limit"}),
    "imported": ({"Distribution of all configurations"}, {"Convergence", "Registers", "Occupancy", "Clock"}),
    "database": ({"Best against default and limit"}, {"Convergence", "Distribution of all configurations"}),
}


def check_titles(browser, name):
    titles = set(browser.evaluate('JSON.parse(document.getElementById("charts").textContent).map(s => s.title)'))
    there, absent = CHARTS.get(name, (set(), set()))
    check(there <= titles, name + ": charts of what was recorded", there - titles)
    check(not absent & titles, name + ": no chart of what was not recorded", absent & titles)


def check_sentences(browser, name):
    """Checks that every point of every chart has a whole sentence: without placeholders, and without unknown values."""
    said = browser.evaluate("""Array.from(document.querySelectorAll("canvas")).flatMap(canvas => {
        const chart = Chart.getChart(canvas), label = chart.options.plugins.tooltip.callbacks.label;
        return chart.data.datasets.flatMap((set, datasetIndex) => set.data.flatMap((raw, dataIndex) =>
            raw === null ? [] : [label({ raw, dataIndex, datasetIndex })]));
    })""")
    bad = [s for s in said if not s.endswith(".") or re.search(r"[{}]|undefined|NaN|null", s)]
    check(said and (not bad or name == "hostile"), name + ": tooltips are sentences", len(said), bad[:3])


def check_first_screen(browser, name, height):
    bottom = browser.evaluate('document.querySelector(".headline").getBoundingClientRect().bottom')
    check(bottom < height, name + ": the answer is on the first screen", bottom)


def check_kept(browser, name):
    """Rank, time, interval and factor stay in place, side by side, when the table of the best scrolls."""
    places = browser.evaluate("""(() => {
        const frame = document.querySelector("table.top").parentNode;
        const lefts = () => Array.from(frame.querySelector("tbody tr").cells).map(c => Math.round(c.getBoundingClientRect().left));
        const before = lefts(), kept = frame.querySelectorAll("tbody tr:first-child [class*=' k']").length;
        frame.scrollLeft = 150;
        const moved = frame.scrollLeft, after = lefts();
        frame.scrollLeft = 0;
        return { before, after, kept, moved };
    })()""")
    kept = places["kept"]
    check(kept >= 2, name + ": columns stay in sight", kept)
    check(places["after"][:kept] == places["before"][:kept], name + ": they do not move", places)
    check(places["moved"] == 0 or places["after"][kept] < places["before"][kept], name + ": the others do", places)


def visible_rows(browser):
    return browser.evaluate("""Array.from(document.querySelector("table.top").tBodies[0].rows)
        .filter(row => row.offsetParent !== null).map(row => Array.from(row.cells).map(cell => cell.textContent))""")


def type_into(browser, text):
    browser.evaluate('(() => { const i = document.querySelector(".search input"); i.focus(); i.select(); })()')
    if text:
        browser.call("Input.insertText", text=text)
    else:
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Delete", code="Delete", windowsVirtualKeyCode=46)


def check_search(browser):
    heads = browser.evaluate('Array.from(document.querySelector("table.top").tHead.rows[0].cells).map(c => c.textContent)')
    column = heads.index("A")
    everything = visible_rows(browser)
    value = everything[0][column]
    type_into(browser, "a=" + value)
    found = visible_rows(browser)
    check(found == [row for row in everything if row[column] == value], "search: the rows of a value", len(found))
    check(0 < len(found) < len(everything), "search: some rows, not all", len(found), len(everything))
    said = browser.evaluate('document.querySelector(".search output").textContent')
    check(said == "%d of %d" % (len(found), len(everything)), "search: says how many", said)
    type_into(browser, "nothing-like-this")
    check(visible_rows(browser) == [], "search: nothing found")
    type_into(browser, "")
    check(visible_rows(browser) == everything, "search: everything again")
    browser.evaluate('document.querySelectorAll("table.top th button")[%d].click()' % column)
    ordered = [float(row[column]) for row in visible_rows(browser)]
    check(ordered == sorted(ordered), "the table can be sorted", ordered[:5])


def column(browser, table, number):
    return browser.evaluate("""Array.from(document.querySelector("%s").tBodies[0].rows).map(row => {
        const cell = row.cells[%d];
        return Number(cell.dataset.value || cell.textContent);
    })""" % (table, number))


def check_collection(browser, name, path):
    """Every chart is drawn. Every column of the overview sorts, times by value and not by text."""
    browser.size(1400)
    browser.open(path)
    browser.scroll_through()
    check_charts(browser, name)
    kernels = len({os.path.basename(name).split(".")[0] for name in glob.glob(os.path.join(ROOT, "db/recorded", "*.csv"))})
    heads = browser.evaluate('Array.from(document.querySelector("table.overview").tHead.rows[0].cells).map(c => c.textContent)')
    for name in ("best", "× default"):
        number = heads.index(name)
        for up in (True, False):
            browser.evaluate('document.querySelectorAll("table.overview th button")[%d].click()' % number)
            values = column(browser, "table.overview", number)
            check(len(values) == kernels and values == sorted(values, reverse=not up), "the overview sorts by " + name, values)
    check("change" not in heads, "no column of changes without any")


def check_paper(browser, name, path):
    """On A4 with its margins, nothing is wider than the paper, and a wide screen draws each chart in the width of
    the paper."""
    browser.size(1400)
    browser.open(path)
    browser.evaluate('dispatchEvent(new Event("beforeprint"))')
    widest = browser.evaluate('Math.max(...Array.from(document.querySelectorAll("canvas")).map(c => c.getBoundingClientRect().width))')
    check(widest < 703 / 2, name + ": charts are drawn for paper", widest)
    browser.size(703)
    browser.media("light", "print")
    wide = browser.evaluate("""Array.from(document.querySelectorAll("table, canvas, p, h2, h3, h4"))
        .map(e => [e.className + e.textContent.slice(0, 40), Math.round(e.getBoundingClientRect().right)]).filter(e => e[1] > 703)""")
    check(not wide, name + ": nothing is cut off on paper", wide[:5])
    squeezed = browser.evaluate("""Array.from(document.querySelectorAll("canvas"))
        .map(c => [c.id, c.width / c.height, c.getBoundingClientRect().width / c.getBoundingClientRect().height])
        .filter(c => Math.abs(c[1] / c[2] - 1) > 0.1)""")
    check(not squeezed, name + ": charts are not squeezed on paper", squeezed[:5])
    browser.media()


def check_keyboard(browser):
    """The Tab key reaches links, tables, tables of numbers and the search."""
    browser.evaluate("document.activeElement && document.activeElement.blur(); scrollTo(0, 0)")
    seen = set()
    for _ in range(60):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        seen.add(browser.evaluate("document.activeElement.tagName"))
    check({"A", "DIV", "SUMMARY", "INPUT", "BUTTON"} <= seen, "the keyboard reaches everything", seen)


def check_colours(browser, path):
    """Dark mode on request; paper is white, and the charts on it are dark."""
    luminance = """(text => { const [r, g, b] = text.match(/\\d+/g).map(Number); return (r + g + b) / 765; })"""
    for scheme, low, high in (("light", 0.8, 1), ("dark", 0, 0.3)):
        browser.media(scheme)
        browser.open(path)
        page = browser.evaluate(luminance + "(getComputedStyle(document.body).backgroundColor)")
        text = browser.evaluate(luminance + "(getComputedStyle(document.body).color)")
        check(low <= page <= high and abs(page - text) > 0.5, scheme + ": page and text", page, text)
    browser.evaluate('dispatchEvent(new Event("beforeprint"))')
    browser.media("dark", "print")
    page = browser.evaluate(luminance + "(getComputedStyle(document.body).backgroundColor)")
    check(page > 0.9, "printing: white paper", page)
    check(browser.evaluate('Chart.getChart("chart-1").options.scales.x.ticks.color') ==
          browser.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--l-soft").trim()'),
          "printing: charts in colours for paper")
    check(browser.evaluate('Array.from(document.querySelectorAll("details")).every(d => d.open)'), "printing: numbers shown")
    check(len(browser.call("Page.printToPDF")["data"]) > 10000, "printing: a document")
    browser.media()


def check_without_scripts(browser, path):
    browser.scripts(False)
    browser.open(path)
    check(browser.evaluate('document.querySelectorAll("canvas").length') > 0, "without scripts: the page is there")
    hidden = browser.evaluate('Array.from(document.querySelectorAll("canvas, .search")).every(e => e.offsetParent === null)')
    check(hidden, "without scripts: nothing that would not work")
    tables = browser.evaluate('Array.from(document.querySelectorAll("figure table")).every(t => t.offsetParent !== null)')
    check(tables, "without scripts: the tables of all charts")
    browser.scripts(True)


def check_page(browser, name, path, pictures):
    check(os.path.getsize(path) < BYTES_MAX, name + ": size", os.path.getsize(path))
    for width, height in ((1400, 1000), (390, 844)):
        browser.size(width, height)
        seconds = browser.open(path)
        check_first_screen(browser, name, height)
        browser.scroll_through()
        charts = check_charts(browser, name)
        check_kept(browser, name)
        wide = browser.evaluate("document.documentElement.scrollWidth")
        check(wide <= width, "%s: fits %d pixels" % (name, width), wide)
        check_quiet(browser, name)
        print("%s at %d pixels: %d bytes, opened in %.2f s, %d charts" % (name, width, os.path.getsize(path), seconds, charts))
        if pictures:
            browser.size(width, browser.evaluate("Math.min(document.documentElement.scrollHeight, 12000)"))
            browser.scroll_through()
            browser.picture(os.path.join(pictures, "%s-%d.png" % (name, width)), whole=False)
    check_titles(browser, name)
    check_sentences(browser, name)


def check_hostile(browser, path):
    browser.open(path)
    browser.scroll_through()
    check(browser.evaluate("typeof window.hacked") == "undefined", "hostile: no text is run")
    check(browser.evaluate("document.scripts.length") == 3, "hostile: no script but our own")
    check(browser.evaluate('document.querySelectorAll("img, [onclick], [onerror], td b, td i").length') == 0,
          "hostile: no markup but our own")
    check(browser.evaluate('document.querySelector("h2").textContent') == EVIL, "hostile: a name is text")
    check(browser.evaluate('document.title').startswith(EVIL), "hostile: also in the title")


def main():
    parser = argparse.ArgumentParser(description="opens reports in headless Chromium")
    parser.add_argument("--program", required=True)
    parser.add_argument("--pictures")
    args = parser.parse_args()
    chromium = find_chromium()
    if not chromium:
        print("skipped: there is no Chromium (apt-get install chromium)")
        return 77
    folder = tempfile.mkdtemp(prefix="cutune-report-")
    browser = Browser(chromium)
    try:
        reports = make_reports(args.program, folder)
        check_collection(browser, "collection", reports.pop("collection"))
        for name, path in reports.items():
            check_page(browser, name, path, args.pictures)
        for name in ("recorded", "large", "clocked", "regression"):
            check_paper(browser, name, reports[name])
        check_hostile(browser, reports["hostile"])
        browser.size(1400)
        browser.open(reports["large"])
        check_search(browser)
        browser.open(reports["compared"])
        check_keyboard(browser)
        check_colours(browser, reports["recorded"])
        check_without_scripts(browser, reports["recorded"])
    finally:
        browser.close()
        shutil.rmtree(folder, ignore_errors=True)
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
