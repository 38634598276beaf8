/* Opens the kernel that the address names, shows the numbers and sentences of charts, saves them, and makes tables
   searchable and sortable. The page is readable without this script. */
(function () {
  "use strict";
  const all = (root, selector) => Array.from(root.querySelectorAll(selector));

  function element(name, text, className) {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  /* ---- Numbers ---- */

  /* Rows of cells; a cell that would be a formula loses its apostrophe. */
  function parseCsv(text) {
    const rows = [[]];
    for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
      rows[rows.length - 1].push(quoted === undefined ? plain : quoted.replace(/""/g, '"').replace(/^'+(?=[=+\-@])/, ""));
      if (end === "\n") rows.push([]);
    }
    return rows.slice(0, -1);
  }

  const isNumber = (cell) => cell !== "" && Number.isFinite(Number(cell));
  const short = (cell) => isNumber(cell) ? String(Number(Number(cell).toPrecision(4))) : cell;

  function makeTable(rows) {
    const table = document.createElement("table"), head = table.createTHead().insertRow(), body = table.createTBody();
    for (const name of rows[0]) head.append(element("th", name, "n"));
    for (const cells of rows.slice(1)) {
      const row = body.insertRow();
      for (const cell of cells) row.append(element("td", short(cell), cell === "" || isNumber(cell) ? "n" : ""));
    }
    return table;
  }

  function save(name, type, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }

  /* ---- Sentences of a chart's points ---- */

  const tip = element("div", "", "tip");
  tip.setAttribute("role", "status");

  /* Places of the points or bars of each series, as {x, y, row, column}. */
  function placesOf(svg, rows) {
    return all(svg, "g.series").flatMap((group, series) => {
      const paths = all(group, "path").map((path) => path.getAttribute("d"));
      const bars = !group.hasAttribute("stroke"), drawn = bars ? paths.join("") : paths[paths.length - 1]; /* points follow their line */
      const points = Array.from(drawn.matchAll(/[ML]([-\d.]+) ([-\d.]+)(?:h([-\d.]+)v([-\d.]+))?/g), (part) => part.slice(1).map((p) => Number(p || 0)));
      const known = rows.map((cells, row) => row).filter((row) => row && rows[row][series + 1] !== "" && !(bars && Number(rows[row][series + 1]) === 0));
      return known.map((row, i) => ({ row, column: series + 1, x: points[i][0] + points[i][2] / 2, y: points[i][1] + points[i][3] / 2 }));
    });
  }

  /* Sentences of what is nearest to a place. */
  function sentences(figure, rows, says, x, y) {
    const svg = figure.querySelector("svg"), cells = svg.querySelector("g.cells");
    const title = figure.querySelector("figcaption").textContent;
    let found;
    if (cells) {
      const [left, top, wide, high] = cells.dataset.place.split(" ").map(Number);
      const column = 1 + Math.floor((x - left) / wide), row = 1 + Math.floor((y - top) / high);
      found = column > 0 && row > 0 && rows[row] && rows[row][column] ? [{ row, column }] : [];
    } else {
      const places = placesOf(svg, rows), far = (p) => Math.abs(p.x - x) + Math.abs(p.y - y) / 2;
      const near = places.reduce((best, p) => !best || far(p) < far(best) ? p : best, null);
      found = places.filter((p) => p.row === near.row);
    }
    return found.map(({ row, column }) => {
      const y = rows[row][column];
      const words = { x: short(rows[row][0]), y: short(y), title, name: rows[0][column], count: y === "1" ? "1 configuration" : y + " configurations" };
      return says[cells ? 0 : column - 1].replace(/\{(\w+)\}/g, (whole, word) => word in words ? words[word] : short(rows[row][Number(word)]));
    });
  }

  function makeFigure(figure) {
    const svg = figure.querySelector("svg"), numbers = figure.querySelector(".numbers"), pre = numbers.querySelector("pre");
    const csv = pre.textContent, says = numbers.dataset.says.split("|"), name = figure.closest("section").id + "." + figure.className;
    let rows = null;
    const data = () => rows || (rows = parseCsv(csv));
    figure.sentences = (x, y) => sentences(figure, data(), says, x, y);
    figure.places = () => placesOf(svg, data());
    numbers.addEventListener("toggle", () => {
      if (!pre.isConnected) return;
      const scroll = element("div", "", "scroll");
      scroll.tabIndex = 0;
      scroll.append(makeTable(data()));
      pre.replaceWith(scroll);
    });
    const buttons = element("p", "", "save");
    for (const [label, type, text] of [["SVG", "image/svg+xml", () => new XMLSerializer().serializeToString(svg)], ["CSV", "text/csv", () => csv]]) {
      const button = element("button", label);
      button.type = "button";
      button.title = "Save as " + label;
      button.addEventListener("click", () => save(name + "." + label.toLowerCase(), type, text()));
      buttons.append(button);
    }
    numbers.before(buttons);
    const point = (event) => {
      const place = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      const said = figure.sentences(place.x, place.y);
      tip.replaceChildren(...said.map((sentence) => element("p", sentence)));
      tip.hidden = !said.length;
      tip.style.left = Math.max(8, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + "px";
      tip.style.top = (event.clientY + 18 + tip.offsetHeight < innerHeight ? event.clientY + 18 : event.clientY - 12 - tip.offsetHeight) + "px";
    };
    svg.addEventListener("pointermove", point);
    svg.addEventListener("pointerdown", point);
    svg.addEventListener("pointerleave", () => { tip.hidden = true; });
  }

  /* ---- Tables ---- */

  const heads = (table) => Array.from(table.tHead.rows[table.tHead.rows.length - 1].cells);

  /* A row matches if it contains every word: a part of a name, the first digits of a number, or NAME=VALUE of a
     parameter. Those in the caption are of all rows. */
  function makeSearchable(paragraph) {
    const input = paragraph.querySelector("input"), output = paragraph.querySelector("output");
    const table = paragraph.nextElementSibling.querySelector("table"), names = heads(table);
    const shared = all(table, "[data-constant]").map((code) => code.textContent.toLowerCase());
    const rows = Array.from(table.tBodies[0].rows).map((row) => {
      const words = Array.from(row.cells).flatMap((cell, i) => {
        const text = cell.textContent.toLowerCase();
        return "parameter" in names[i].dataset ? [names[i].textContent.toLowerCase() + "=" + text, text] : [text];
      });
      return { row, words: words.concat(shared) };
    });
    const matches = (word, wanted) => wanted.includes("=") ? word === wanted : /^\d/.test(wanted) ? word.startsWith(wanted) : word.includes(wanted);
    input.addEventListener("input", () => {
      const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const { row, words } of rows) {
        row.hidden = !wanted.every((w) => words.some((word) => matches(word, w)));
        shown += row.hidden ? 0 : 1;
      }
      output.textContent = wanted.length ? shown + " of " + rows.length : "";
    });
  }

  function makeSortable(table) {
    heads(table).forEach((head, column) => {
      if (head.tagName !== "TH") return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        for (const other of heads(table)) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const order = new Intl.Collator("en", { numeric: true });
        const rows = Array.from(table.tBodies[0].rows);
        rows.sort((a, b) => {
          const [x, y] = [a, b].map((row) => row.cells[column].dataset.value || row.cells[column].textContent);
          const d = Number(x) - Number(y);
          return (up ? 1 : -1) * (Number.isNaN(d) ? order.compare(x, y) : d);
        });
        table.tBodies[0].append(...rows);
      });
    });
  }

  function enhance(root) {
    all(root, "figure").forEach(makeFigure);
    all(root, ".search").forEach(makeSearchable);
    all(root, "table.sortable").forEach(makeSortable);
  }

  /* ---- Kernels ---- */

  const overview = document.getElementById("overview"), kernels = overview ? all(document, "section.kernel") : [];
  const title = document.title;
  let left = 0; /* where the overview was scrolled to */

  /* A folded kernel is text in a <noscript>, which costs a browser next to nothing. */
  function open(kernel) {
    const folded = kernel.querySelector("noscript");
    if (!folded) return;
    const content = document.createElement("div");
    content.innerHTML = folded.textContent;
    folded.replaceWith(content);
    enhance(content);
  }

  function show() {
    const id = location.hash.slice(1), shown = kernels.find((kernel) => kernel.id === id.split(".")[0]);
    overview.hidden = Boolean(shown);
    for (const kernel of kernels) kernel.hidden = kernel !== shown;
    document.title = shown ? shown.querySelector("h2").textContent + ": tuning report" : title;
    if (shown) {
      open(shown);
      (document.getElementById(id) || shown).scrollIntoView();
    } else scrollTo(0, left);
  }

  document.documentElement.classList.add("js");
  tip.hidden = true;
  document.body.append(tip);
  enhance(document);
  if (overview) {
    overview.addEventListener("click", () => { left = scrollY; });
    addEventListener("hashchange", show);
    addEventListener("beforeprint", () => kernels.forEach(open));
    show();
  }
})();
