#!/usr/bin/env python3
"""Opens reports in headless Chromium. Nothing is requested, no error occurs, and the answer is on the first screen.
The overview sorts, filters, and opens each kernel at its name. Every chart lies within its frame and has sentences. The
page works in dark mode, on a narrow screen, on paper, by keyboard and without JavaScript.

    run.py --program FILE

Ends with 77 without Chromium. tools/scripts/screenshots takes pictures."""
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
BYTES_MAX = 7 << 19
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
    recorded = sorted(glob.glob(os.path.join(ROOT, "db", "recorded", "*.csv")))
    fixtures = [os.path.join(FIXTURES, name) for name in ("device_a.csv", "device_b.csv", "device_a_later.csv")]
    inputs = {"collection": recorded, "some": recorded[:6], "compared": fixtures, "hostile": [hostile(folder)], "large": [large(folder)],
              "imported": [imported(program, folder)], "clocked": [clocked(folder)], "regression": fixtures[::2],
              "one": [name for name in recorded if "/transpose.NVIDIA-H200." in name],
              "two": [name for name in recorded if "/transpose.NVIDIA-H" in name],
              "database": [os.path.join(ROOT, "tests", "unit", "formats", "database-1.csv")]}
    reports = {}
    for name, files in inputs.items():
        reports[name] = os.path.join(folder, name + ".html")
        subprocess.run([program, "report", "-o", reports[name]] + files, check=True, timeout=60)
        with open(reports[name], encoding="utf-8") as page:
            text = page.read()
        check(folder not in text and ROOT not in text, name + ": no folder of the reporter")
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
    """Checks that every chart is within its frame, and that each of its points says whole sentences: without
    placeholders, and without unknown values."""
    figures = browser.evaluate("""Array.from(document.querySelectorAll("figure")).filter(f => f.offsetParent !== null).map(figure => {
        const svg = figure.querySelector("svg"), box = svg.viewBox.baseVal, cells = svg.querySelector("g.cells");
        const outside = Array.from(svg.querySelectorAll("text, path")).filter(e => e.getAttribute("d") !== "").filter(e => {
            const b = e.getBBox();
            return !(b.x > -1 && b.y > -1 && b.x + b.width < box.width + 1 && b.y + b.height < box.height + 2);
        }).map(e => e.outerHTML);
        const [x, y] = cells ? cells.dataset.place.split(" ").map(Number) : [0, 0];
        const places = cells ? [{ x: x + 1, y: y + 1 }] : figure.places();
        return { title: figure.querySelector("figcaption").textContent, outside, cells: cells !== null,
            width: svg.getBoundingClientRect().width, said: places.map(p => figure.sentences(p.x, p.y)) };
    })""")
    check(figures, name + ": there are charts")
    for figure in figures:
        check(not figure["outside"], name + ": a chart within its frame", figure["title"], figure["outside"][:3])
        said = [s for sentences in figure["said"] for s in sentences]
        bad = [s for s in said if not s.endswith(".") or re.search(r"[{}]|undefined|NaN|null", s)]
        check((said or figure["cells"]) and (not bad or name == "hostile"), name + ": points say sentences", figure["title"], bad[:3])
    return figures


CHARTS = {  # required titles, and forbidden titles of a report: unrecorded data has no chart
    "one": ({"Convergence", "Registers", "Occupancy", "Importance of the parameters"}, set()),
    "clocked": ({"Convergence", "Registers", "Occupancy", "Clock"}, {"Traffic of all configurations against the limit"}),
    "imported": ({"Distribution of all configurations"}, {"Convergence", "Registers", "Occupancy", "Clock"}),
}


def check_titles(figures, name):
    titles = {figure["title"] for figure in figures}
    there, absent = CHARTS.get(name, (set(), set()))
    check(there <= titles, name + ": charts of what was recorded", there - titles)
    check(not absent & titles, name + ": no chart of what was not recorded", absent & titles)


def check_first_screen(browser, name, height):
    bottom = browser.evaluate('document.querySelector(".headline").getBoundingClientRect().bottom')
    check(bottom < height, name + ": the answer is on the first screen", bottom)


def check_kept(browser, name):
    """Rank, time, interval and factor stay in place, side by side, when the table of the best scrolls."""
    places = browser.evaluate("""(() => {
        const frame = document.querySelector("table.top").parentNode;
        const lefts = () => Array.from(frame.querySelector("tbody tr").cells).map(c => Math.round(c.getBoundingClientRect().left));
        const before = lefts(), kept = Array.from(frame.querySelector("tbody tr").cells).filter(c => getComputedStyle(c).position === "sticky").length;
        frame.scrollLeft = 150;
        const moved = frame.scrollLeft, after = lefts();
        frame.scrollLeft = 0;
        return { before, after, kept, moved };
    })()""")
    kept = places["kept"]
    check(kept >= 2, name + ": columns stay in sight", kept)
    check(places["after"][:kept] == places["before"][:kept], name + ": they do not move", places)
    check(places["moved"] == 0 or places["after"][kept] < places["before"][kept], name + ": the others do", places)


def visible_rows(browser, table="table.top"):
    return browser.evaluate("""Array.from(document.querySelector("%s").tBodies[0].rows)
        .filter(row => row.offsetParent !== null).map(row => Array.from(row.cells).map(cell => cell.textContent))""" % table)


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


def click(browser, selector):
    browser.evaluate("document.querySelector(%r).click()" % selector)
    browser.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def visible_sections(browser):
    return browser.evaluate("""Array.from(document.querySelectorAll("main > section")).filter(s => s.offsetParent !== null).map(s => s.id)""")


def check_overview(browser, name, path):
    """Every column of the overview sorts, times by value and not by text. Words filter its rows. A link opens one kernel,
    with its name at the top; the way back leads to the same place. A kernel costs nothing until it is opened."""
    files = [os.path.basename(file).split(".") for file in glob.glob(os.path.join(ROOT, "db/recorded", "*.csv"))]
    kernels = {file[0] for file in files}
    browser.size(1400)
    browser.open(path)
    elements = browser.evaluate('document.querySelectorAll("*").length')
    check(elements < 100 * len(kernels), name + ": folded kernels have few elements", elements)
    table = "table.overview"
    heads = browser.evaluate('Array.from(document.querySelector("%s").tHead.rows[1].cells).map(c => c.textContent)' % table)
    devices = browser.evaluate('Array.from(document.querySelectorAll("%s th[colspan]")).map(c => c.textContent)' % table)
    check(len(devices) == len({file[1] for file in files}) and heads.count("best") == len(devices), name + ": devices side by side", devices)
    for number in (i for i, head in enumerate(heads) if head in ("best", "× default")):
        for up in (True, False):
            browser.evaluate('document.querySelector("%s").tHead.rows[1].cells[%d].querySelector("button").click()' % (table, number))
            values = column(browser, table, number)
            check(len(values) == len(kernels) and values == sorted(values, reverse=not up), name + ": sorts by " + heads[number], values)
    type_into(browser, "transp")
    check({row[0].split()[0] for row in visible_rows(browser, table)} == {k for k in kernels if "transp" in k}, name + ": filters by text")
    type_into(browser, "")
    browser.evaluate("scrollTo(0, 300)")
    for kernel in sorted(kernels)[::8]:
        click(browser, 'table.overview a[href="#%s"]' % kernel)
        check(visible_sections(browser) == [kernel], name + ": a link opens its kernel", visible_sections(browser))
        place = browser.evaluate('document.querySelector("#%s h2").getBoundingClientRect().top' % kernel)
        check(0 <= place < 150, name + ": the kernel's name is at the top", kernel, place)
        check_charts(browser, kernel)
        click(browser, "#%s .back a" % kernel)
        check(visible_sections(browser) == ["overview"] and browser.evaluate("scrollY") == 300, name + ": the way back", browser.evaluate("scrollY"))
    browser.open(path, "#transpose.NVIDIA-H200")
    check(visible_sections(browser) == ["transpose"], name + ": an address opens its kernel")
    check(browser.evaluate('document.getElementById("transpose.NVIDIA-H200").getBoundingClientRect().top') < 100, name + ": and goes to its device")


def check_overlap(browser, name, width):
    """No two cells of a row of an overview overlap, and none is cut off."""
    bad = browser.evaluate("""Array.from(document.querySelectorAll("table.overview tr")).filter(row => row.offsetParent !== null).flatMap(row => {
        const cells = Array.from(row.cells).filter(c => c.offsetParent !== null).map(c => ({ c, text: c.textContent, r: c.getBoundingClientRect() }));
        return cells.filter((a, i) => (innerWidth < 760 && a.r.right > innerWidth) || a.c.scrollWidth > a.c.clientWidth + 1 || cells.slice(i + 1).some(b =>
            a.r.left < b.r.right - 1 && b.r.left < a.r.right - 1 && a.r.top < b.r.bottom - 1 && b.r.top < a.r.bottom - 1)).map(a => a.text);
    })""")
    check(not bad, "%s at %d pixels: no cell is cut off or covered" % (name, width), bad[:5])


def check_paper(browser, name, path, pages):
    """On A4, the overview and a page for each kernel: nothing is wider than the paper, and no word is broken."""
    browser.size(711)
    browser.media("light", "print")
    browser.open(path)
    browser.evaluate('dispatchEvent(new Event("beforeprint"))')
    wide = browser.evaluate("""Array.from(document.querySelectorAll("table, svg, p, h2, h3, h4, code"))
        .map(e => [e.tagName + e.textContent.slice(0, 40), Math.round(e.getBoundingClientRect().right)]).filter(e => e[1] > 711)""")
    check(not wide, name + ": nothing is cut off on paper", wide[:5])
    broken = browser.evaluate("""Array.from(document.querySelectorAll("td, th, p, h2, code, figcaption")).filter(e => e.offsetParent !== null &&
        (getComputedStyle(e).overflowWrap === "anywhere" || getComputedStyle(e).wordBreak !== "normal")).map(e => e.tagName)""")
    check(not broken, name + ": no word is broken on paper", set(broken))
    browser.media()
    printed = len(re.findall(rb"/Type\s*/Page\b(?!s)", browser.paper()))
    check(printed == pages, "%s: %d pages" % (name, pages), printed)


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
    for medium, low, high in (("", 0, 0.3), ("print", 0.9, 1)):
        browser.media("dark", medium)
        page = browser.evaluate(luminance + "(getComputedStyle(document.body).backgroundColor)")
        ink = browser.evaluate(luminance + '(getComputedStyle(document.querySelector("svg.chart")).fill)')
        check(low <= page <= high and abs(page - ink) > 0.5, "dark, %s: page and charts" % (medium or "screen"), page, ink)
    browser.media()


def check_without_scripts(browser, path, runs):
    browser.scripts(False)
    browser.open(path)
    check(browser.evaluate('document.querySelectorAll("section.run").length') == runs, "without scripts: every run is there")
    check(browser.evaluate('Array.from(document.querySelectorAll("svg")).every(e => e.getBoundingClientRect().width > 100)'), "without scripts: charts")
    hidden = browser.evaluate('Array.from(document.querySelectorAll(".search, .back")).every(e => e.offsetParent === null)')
    check(hidden, "without scripts: nothing that would not work")
    browser.scripts(True)


def check_save(browser, path, folder):
    """A chart is saved as the drawing of the page, and its data as the CSV of the page."""
    browser.open(path)
    browser.download(folder)
    figure = 'document.querySelector("figure.convergence")'
    name = "transpose.NVIDIA-H200.convergence"
    csv = browser.evaluate(figure + '.querySelector("pre").textContent')
    for number, wanted in ((0, b"<svg "), (1, csv.encode())):
        browser.evaluate(figure + '.querySelectorAll(".save button")[%d].click()' % number)
        browser.wait_for("Browser.downloadProgress", lambda event: event["state"] == "completed")
        file = os.path.join(folder, name + (".svg", ".csv")[number])
        with open(file, "rb") as saved:
            check(saved.read().startswith(wanted), "saves " + os.path.basename(file))
    browser.evaluate(figure + '.querySelector("summary").click()')
    browser.evaluate("new Promise(done => setTimeout(done, 50))")
    rows = browser.evaluate(figure + '.querySelectorAll(".numbers tr").length')
    check(rows == csv.count("\n"), "numbers are a table", rows)


def check_page(browser, name, path):
    check(os.path.getsize(path) < BYTES_MAX, name + ": size", os.path.getsize(path))
    for width, height in ((1400, 1000), (390, 844)):
        browser.size(width, height)
        browser.open(path)
        check_first_screen(browser, name, height)
        check_overlap(browser, name, width)
        if not browser.evaluate('document.getElementById("overview") !== null'):
            check_titles(check_charts(browser, name), name)
            check_kept(browser, name)
        wide = browser.evaluate("document.documentElement.scrollWidth")
        check(wide <= width, "%s: fits %d pixels" % (name, width), wide)
        check_quiet(browser, name)


def check_hostile(browser, path):
    browser.open(path)
    check(browser.evaluate("typeof window.hacked") == "undefined", "hostile: no text is run")
    check(browser.evaluate("document.scripts.length") == 1, "hostile: no script but our own")
    check(browser.evaluate('document.querySelectorAll("img, [onclick], [onerror], td b, td i").length') == 0,
          "hostile: no markup but our own")
    check(browser.evaluate('document.querySelector("h2").textContent') == EVIL, "hostile: a name is text")
    check(browser.evaluate('document.title').startswith(EVIL), "hostile: also in the title")


def main():
    parser = argparse.ArgumentParser(description="opens reports in headless Chromium")
    parser.add_argument("--program", required=True)
    args = parser.parse_args()
    chromium = find_chromium()
    if not chromium:
        print("skipped: there is no Chromium (apt-get install chromium)")
        return 77
    folder = tempfile.mkdtemp(prefix="cutune-report-")
    browser = Browser(chromium)
    try:
        reports = make_reports(args.program, folder)
        kernels = {os.path.basename(name).split(".")[0] for name in glob.glob(os.path.join(ROOT, "db/recorded", "*.csv"))}
        for name, path in reports.items():
            check_page(browser, name, path)
        check_overview(browser, "collection", reports["collection"])
        for name, pages in (("one", 1), ("two", 1), ("clocked", 1), ("collection", 1 + len(kernels))):
            check_paper(browser, name, reports[name], pages)
        check_hostile(browser, reports["hostile"])
        browser.size(1400)
        browser.open(reports["large"])
        check_search(browser)
        browser.open(reports["compared"])
        check_keyboard(browser)
        check_colours(browser, reports["one"])
        check_save(browser, reports["one"], folder)
        check_without_scripts(browser, reports["some"], 6)
    finally:
        browser.close()
        shutil.rmtree(folder, ignore_errors=True)
    print("%d failures" % len(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
