"use strict";
// The page of one plan.

function machineText(m) {
  const machine = DATA.machines[m];
  const fails = machine.mtbf_s === null ? "never fails" : `MTBF ${seconds(machine.mtbf_s)}`;
  return `${machine.name} (${machine.volatile ? "volatile, " : ""}${fails})`;
}

function terms(values, task) {
  const parts = Object.entries(values).map(([name, all]) => `${name.replace(/_s$/, "")} ${seconds(all[task])}`);
  return parts.length ? ` (${parts.join(", ")})` : "";
}

function why(task) {
  const tasks = DATA.tasks;
  if (tasks.other === null) return "Why: the plan does not say.";
  const other = tasks.other[task], here = tasks.finish_s[task], earliest = tasks.earliest_finish_s[task];
  if (other < 0) return `Why: no other machine was allowed, at ${seconds(here)}.`;
  const there = tasks.other_finish_s[task];
  const reason = here <= earliest ? "earliest finish" : `the method prefers it, though the earliest finish is ${seconds(earliest)}`;
  return `Why: ${reason}, at ${seconds(here)}${terms(tasks.terms, task)}.\n` +
    `Runner-up: ${machineText(other)}, at ${seconds(there)}${terms(tasks.other_terms, task)}.`;
}

function describe(bars, k) {
  const task = bars.task[k], note = bars.kind[k] === LOST ? "\nLost: the machine failed at the end of this run." : "";
  const second = bars.machine[k] !== DATA.planned.machine[task]; // the planned bars begin with the first copies, by task
  return `${DATA.tasks.id[task]}${second ? ", second copy" : ""}\n` +
    `${DATA.types[DATA.tasks.type[task]]} on ${machineText(bars.machine[k])}\n` +
    `${seconds(bars.begin[k])} to ${seconds(bars.end[k])}${note}\n` +
    (second ? `Why: a second copy of what runs on ${machineText(DATA.planned.machine[task])}.` : why(task));
}

function legend(charts) {
  const holder = document.getElementById("legend");
  DATA.types.forEach((name, type) => {
    const button = element("button", { type: "button", title: "show or hide" }, holder);
    element("span", { className: "swatch" }, button).style.background = DATA.colours[type];
    button.append(name);
    button.addEventListener("click", () => {
      for (const chart of charts) {
        if (!chart.hidden.delete(type)) chart.hidden.add(type);
        chart.request();
      }
      button.classList.toggle("off");
    });
  });
  for (const [name, colour] of [["lost work", "#c1121f"], ["machine down", "#c9ccd3"], ["second copy: pale", "#a9c4da"], ["\u26a1 volatile machine", "#fdf0d5"]]) {
    const item = element("span", {}, holder);
    element("span", { className: "swatch" }, item).style.background = colour;
    item.append(` ${name}`);
  }
}

function distribution() {
  const most = DATA.makespans_s.reduce((a, b) => Math.max(a, b), DATA.planned_makespan_s) * 1.02;
  const mark = (x, text, y) => ({
    shape: { type: "line", x0: x, x1: x, y0: 0, y1: 1, yref: "paper", line: { color: INK, width: 1.5, dash: "dot" } },
    note: { x, y, yref: "paper", text: `${text} ${seconds(x)}`, showarrow: false, xanchor: x > 0.7 * most ? "right" : "left", yanchor: "top", bgcolor: "rgba(255,255,255,0.8)" },
  });
  const marks = [mark(DATA.planned_makespan_s, "planned", 1), mark(DATA.mean_s, "mean", 0.9), mark(DATA.p95_s, "P95", 0.8)];
  const trace = { type: "histogram", x: DATA.makespans_s, marker: { color: "#0072b2" }, hovertemplate: "%{x} s: %{y}<extra></extra>" };
  trace.xbins = { start: 0, end: most, size: most / 60 };
  return Plotly.newPlot("distribution", [trace], layout({
    xaxis: axis("makespan, s", { range: [0, most] }), yaxis: axis("traces"), bargap: 0.03, margin: { l: 60, r: 20, t: 36, b: 50 },
    shapes: marks.map(m => m.shape), annotations: marks.map(m => m.note),
  }), CHART);
}

function last(bars) { return bars.end.reduce((latest, end) => Math.max(latest, end), 0); }

const GANTTS = [
  new Gantt(document.getElementById("planned"), DATA.planned, { machine: [] }, last(DATA.planned), describe),
  new Gantt(document.getElementById("trace"), DATA.trace, DATA.down, last(DATA.trace), describe),
];
legend(GANTTS);
drawn([...GANTTS.map(() => Promise.resolve()), distribution()]);
