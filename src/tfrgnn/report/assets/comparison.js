"use strict";
// The page of a comparison.

const ALL = "all, mean over the workflows";
const WORKFLOWS = [...new Set(DATA.rows.map(row => row.workflow))];
const SCALES = [...new Set(DATA.rows.map(row => row.scale))];
const workflowChoice = document.getElementById("workflow"), scaleChoice = document.getElementById("scale");

function rowsOf(method, workflow, scale) {
  return DATA.rows.map((row, k) => ({ row, k })).filter(({ row }) => row.method === method && row.scale === scale &&
    (workflow === ALL || row.workflow === workflow));
}

function mean(values) { return values.reduce((sum, value) => sum + value, 0) / values.length; }

function ratioChart() {
  const workflow = workflowChoice.value;
  document.getElementById("ratio-note").textContent = workflow !== ALL ? "" :
    "Over workflows the interval is the mean of the workflows' own: they share the machines' failures.";
  const step = 0.6 / Math.max(1, DATA.methods.length - 1);
  const traces = DATA.methods.map((method, m) => {
    const points = SCALES.map(scale => rowsOf(method, workflow, scale).map(({ row }) => row));
    const ratio = points.map(rows => mean(rows.map(row => row.ratio_to_heft)));
    const part = (rows, name, sign) => mean(rows.map(row => row[name] === null ? 0 : sign * (row[name] - row.ratio_to_heft)));
    const chosen = points.map(rows => rows.length === 1 && rows[0].chosen ? `, chosen: ${rows[0].chosen}` : "");
    return {
      type: "scatter", mode: "markers", name: rowsOf(method, workflow, SCALES[0])[0].row.kind === "bound" ? `${method} (paper's bound)` : method,
      x: SCALES.map((_, s) => s + (m - (DATA.methods.length - 1) / 2) * step), y: ratio,
      marker: { color: DATA.colours[m], size: 9, symbol: m % 8 }, text: SCALES.map((scale, s) => `scale ${scale}${chosen[s]}`),
      error_y: {
        type: "data", symmetric: false, thickness: 1.5, width: 4,
        array: points.map(rows => part(rows, "ratio_ci95_high", 1)), arrayminus: points.map(rows => part(rows, "ratio_ci95_low", -1)),
      },
      hovertemplate: "%{fullData.name}, %{text}<br>ratio %{y:.4f}<extra></extra>",
    };
  });
  return Plotly.react("ratio", traces, layout({
    xaxis: axis("scale: multiple of the machines' failure rates", { tickvals: SCALES.map((_, s) => s), ticktext: SCALES.map(String), range: [-0.5, SCALES.length - 0.5] }),
    yaxis: axis("mean makespan / HEFT"), hovermode: "closest", legend: { orientation: "h", y: 1.02, yanchor: "bottom" }, margin: { l: 60, r: 20, t: 40 + 22 * Math.ceil(DATA.methods.length / 7), b: 50 },
    shapes: [
      { type: "line", x0: 0, x1: 1, xref: "paper", y0: 1, y1: 1, line: { color: SOFT, width: 1, dash: "dash" } },
      ...SCALES.slice(1).map((_, s) => ({ type: "line", x0: s + 0.5, x1: s + 0.5, y0: 0, y1: 1, yref: "paper", line: { color: LINE, width: 1 } })),
    ],
  }), CHART);
}

function distributionChart() {
  const scale = Number(scaleChoice.value), workflow = workflowChoice.value;
  const traces = DATA.methods.map((method, m) => ({
    type: "box", name: method, marker: { color: DATA.colours[m], size: 3 }, boxpoints: "all", jitter: 0.6, pointpos: 0, opacity: 0.85,
    y: rowsOf(method, workflow, scale).flatMap(({ row, k }) => workflow === ALL ?
      DATA.makespans_s[k].map(value => value * DATA.settings.horizon_factor / row.horizon_s) : DATA.makespans_s[k]),
  }));
  const title = workflow === ALL ? "makespan / HEFT's without failures" : "makespan, s";
  return Plotly.react("distribution", traces, layout({ yaxis: axis(title, { rangemode: "tozero" }), xaxis: axis(""), showlegend: false }), CHART);
}

const COLUMNS = ["workflow", "method", "chosen", "scale", "planned_makespan_s", "mean_makespan_s", "ci95_low_s", "ci95_high_s",
  "ratio_to_heft", "ratio_ci95_low", "ratio_ci95_high", "past_horizon_share", "p95_s", "p99_s", "cvar95_s", "wasted_s", "redundant_s",
  "utilisation", "plan_ms"];
const TEXT = new Set(["workflow", "method", "chosen"]);

function table() {
  const holder = document.getElementById("table");
  const head = element("tr", {}, element("thead", {}, holder)), body = element("tbody", {}, holder);
  let sorted = null;
  const fill = rows => body.replaceChildren(...rows.map(row => {
    const line = element("tr", {});
    for (const name of COLUMNS) {
      const value = row[name], cell = element("td", { className: TEXT.has(name) ? "text" : "" }, line);
      cell.textContent = value === null ? "-" : typeof value === "number" ? String(Number(value.toPrecision(5))) : value;
    }
    return line;
  }));
  for (const name of COLUMNS) {
    element("th", { textContent: name, className: TEXT.has(name) ? "text" : "" }, head).addEventListener("click", () => {
      sorted = { name, up: sorted && sorted.name === name ? !sorted.up : true };
      fill([...DATA.rows].sort((a, b) => (a[name] < b[name] ? -1 : a[name] > b[name] ? 1 : 0) * (sorted.up ? 1 : -1)));
    });
  }
  fill(DATA.rows);
}

for (const name of WORKFLOWS.length > 1 ? [ALL, ...WORKFLOWS] : WORKFLOWS) element("option", { value: name, textContent: name }, workflowChoice);
for (const scale of SCALES) element("option", { value: scale, textContent: scale }, scaleChoice);
scaleChoice.value = String(SCALES[SCALES.length - 1]);
workflowChoice.addEventListener("change", () => { ratioChart(); distributionChart(); });
scaleChoice.addEventListener("change", distributionChart);
table();
drawn([ratioChart(), distributionChart()]);
