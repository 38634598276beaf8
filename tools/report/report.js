/* Draws each chart of the page when it comes near the window, and makes tables searchable and sortable. The
   page is readable without this script. */
(function () {
  "use strict";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const specs = new Map(JSON.parse(document.getElementById("charts").textContent).map((s) => [s.id, s]));
  const charts = new Map();
  let printing = false;

  function colour(name) {
    const side = dark.matches && !printing ? "--d-" : "--l-";
    return getComputedStyle(document.documentElement).getPropertyValue(side + name).trim();
  }

  function axis(title, more) {
    return Object.assign({
      title: { display: title !== "", text: title, color: colour("soft") },
      ticks: { color: colour("soft"), maxRotation: 60, autoSkipPadding: 8, autoSkip: more.autoSkip !== false,
        font: { size: printing ? 9 : 12 } },
      grid: { color: colour("line") },
    }, more);
  }

  function dataset(spec, series) {
    const bar = spec.type === "bar", step = series.style === "step", marks = series.style === "marks";
    const points = marks || series.style === "points";
    const paint = series.colour < 0 ? spec.colours.map((c) => colour(String(c))) : colour(String(series.colour));
    return {
      label: series.name, data: series.data, backgroundColor: paint, borderColor: paint, borderWidth: bar ? 0 : 2,
      borderDash: series.style === "dash" ? [6, 4] : [], stepped: step, spanGaps: true,
      showLine: !spec.scatter && !marks, pointRadius: marks ? 6 : points || step ? 4 : 0, pointHitRadius: 8,
      pointStyle: series.colour === 1 ? "rectRot" : "circle", maxBarThickness: 40,
    };
  }

  /* A point in words: the series' sentence with its numbers. */
  function sentence(spec, item) {
    const raw = item.raw, point = raw !== null && typeof raw === "object";
    const number = (value) => String(Number(Number(value).toPrecision(4)));
    const y = point ? raw.y : raw, next = spec.labels[item.dataIndex + 1];
    const words = {
      x: point ? number(raw.x) : spec.labels[item.dataIndex], y: number(y), title: spec.title,
      next: next === undefined ? spec.end : next, count: y === 1 ? "1 configuration" : y + " configurations",
    };
    return spec.series[item.datasetIndex].says.replace(/\{(\w+)\}/g, (all, word) => words[word]);
  }

  function configuration(spec) {
    const points = spec.series.some((s) => s.data.length && typeof s.data[0] === "object" && s.data[0] !== null);
    const value = spec.log ? { type: "logarithmic" } : { beginAtZero: spec.type === "bar" || !!spec.zero };
    const category = { type: !points ? "category" : spec.logx ? "logarithmic" : "linear" };
    if (spec.horizontal) category.autoSkip = false; /* each bar has its name */
    if (spec.stacked) {
      value.stacked = true;
      category.stacked = true;
    }
    return {
      type: spec.type,
      data: { labels: points ? undefined : spec.labels, datasets: spec.series.map((s) => dataset(spec, s)) },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, indexAxis: spec.horizontal ? "y" : "x",
        interaction: { mode: points ? "nearest" : "index", intersect: false, axis: spec.horizontal ? "y" : "x" },
        plugins: {
          legend: { display: spec.series.length > 1, labels: {
            color: colour("text"), usePointStyle: true, boxWidth: 8, boxHeight: 8,
          } },
          tooltip: { filter: (item) => item.raw !== 0 && item.raw !== null, callbacks: {
            title: () => "", label: (item) => sentence(spec, item),
          } },
        },
        scales: spec.horizontal ? { x: axis(spec.x, value), y: axis(spec.y, category) }
          : { x: axis(spec.x, category), y: axis(spec.y, value) },
      },
    };
  }

  function draw(id) {
    const old = charts.get(id);
    if (old) old.destroy();
    charts.set(id, new Chart(document.getElementById(id), configuration(specs.get(id))));
  }

  function drawAll() {
    for (const id of specs.keys()) draw(id);
  }

  function drawInTime() {
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries)
        if (entry.isIntersecting) {
          observer.unobserve(entry.target);
          if (!charts.has(entry.target.id)) draw(entry.target.id);
        }
    }, { rootMargin: "600px" });
    for (const id of specs.keys()) observer.observe(document.getElementById(id));
  }

  function followColours() {
    dark.addEventListener("change", () => { for (const id of charts.keys()) draw(id); });
    addEventListener("beforeprint", () => {
      printing = true;
      document.documentElement.classList.add("printing");
      drawAll();
      for (const chart of charts.values()) chart.resize();
    });
    addEventListener("afterprint", () => {
      printing = false;
      document.documentElement.classList.remove("printing");
      drawAll();
    });
  }

  /* A row matches if it contains every word: a value, or NAME=VALUE of a parameter. Those in the caption are of all rows. */
  function makeSearchable(paragraph) {
    const input = paragraph.querySelector("input"), output = paragraph.querySelector("output");
    const table = paragraph.nextElementSibling.querySelector("table");
    const heads = Array.from(table.tHead.rows[0].cells);
    const shared = Array.from(table.querySelectorAll("[data-constant]")).map((code) => code.textContent.toLowerCase());
    const rows = Array.from(table.tBodies[0].rows).map((row) => {
      const words = Array.from(row.cells).flatMap((cell, i) => {
        const text = cell.textContent.toLowerCase();
        return "parameter" in heads[i].dataset ? [heads[i].textContent.toLowerCase() + "=" + text, text] : [text];
      });
      return { row, words: words.concat(shared) };
    });
    function search() {
      const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const { row, words } of rows) {
        row.hidden = !wanted.every((w) => words.some((word) => w.includes("=") ? word === w : word.startsWith(w)));
        shown += row.hidden ? 0 : 1;
      }
      output.textContent = wanted.length ? shown + " of " + rows.length : "";
    }
    input.addEventListener("input", search);
  }

  function makeSortable(table) {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
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

  for (const details of document.querySelectorAll("details.numbers")) details.open = false;
  addEventListener("beforeprint", () => { for (const d of document.querySelectorAll("details.numbers")) d.open = true; });
  addEventListener("afterprint", () => { for (const d of document.querySelectorAll("details.numbers")) d.open = false; });
  document.documentElement.classList.add("js");
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  drawInTime();
  followColours();
  for (const paragraph of document.querySelectorAll(".search")) makeSearchable(paragraph);
  for (const table of document.querySelectorAll("table.sortable")) makeSortable(table);
})();
