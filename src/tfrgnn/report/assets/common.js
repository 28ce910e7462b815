"use strict";
// What both pages share: the data, numbers for people, and a word to tests when all is drawn.

const DATA = JSON.parse(document.getElementById("data").textContent);
const INK = "#1d2330", SOFT = "#5b6475", LINE = "#d9dde5";
const CHART = { responsive: true, displaylogo: false, showSendToCloud: false };

function seconds(value) {
  return value === null ? "-" : `${Number(value.toPrecision(5))} s`;
}

function element(tag, properties, parent) {
  const made = Object.assign(document.createElement(tag), properties);
  if (parent) parent.append(made);
  return made;
}

function axis(title, more) {
  return Object.assign({ title: { text: title }, gridcolor: LINE, zerolinecolor: LINE, automargin: true }, more);
}

function layout(more) {
  return Object.assign({
    margin: { l: 60, r: 20, t: 10, b: 50 },
    font: { family: "system-ui, DejaVu Sans, sans-serif", size: 13, color: INK },
    paper_bgcolor: "#ffffff", plot_bgcolor: "#ffffff",
  }, more);
}

function drawn(promises) {
  Promise.all(promises).then(() => { document.body.dataset.drawn = String(promises.length); });
}
