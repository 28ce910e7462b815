"use strict";
// A Gantt chart on a canvas: thousands of bars are drawn in a millisecond or two, so that zooming stays smooth.

const PLAIN = 0, REPLICA = 1, LOST = 2;
const ROW_LIMIT = 900, LABEL = 74, AXIS = 26;

class Gantt {
  constructor(holder, bars, down, end, describe) {
    Object.assign(this, { bars, down, end, describe, hidden: new Set(), from: 0, to: end });
    const rows = DATA.machines.length;
    this.row = Math.max(3, Math.min(16, ROW_LIMIT / rows));
    this.height = Math.ceil(rows * this.row) + AXIS;
    this.canvas = element("canvas", {}, holder);
    this.canvas.style.height = `${this.height}px`;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", `Gantt chart, ${bars.task.length} bars on ${rows} machines`);
    this.tip = element("div", { className: "tip" }, document.body);
    this.byMachine = DATA.machines.map(() => []);
    bars.machine.forEach((m, k) => this.byMachine[m].push(k));
    this.listen();
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.canvas.parentElement.clientWidth;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.context = this.canvas.getContext("2d");
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.draw();
  }

  x(time) { return LABEL + (time - this.from) / (this.to - this.from) * (this.width - LABEL); }
  time(x) { return this.from + (x - LABEL) / (this.width - LABEL) * (this.to - this.from); }

  request() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.draw(); });
  }

  draw() {
    const c = this.context, { bars, row } = this;
    c.clearRect(0, 0, this.width, this.height);
    this.drawRows(c);
    c.save();
    c.beginPath(); c.rect(LABEL, 0, this.width - LABEL, this.height - AXIS); c.clip();
    c.fillStyle = "rgba(120, 126, 140, 0.35)";
    for (let k = 0; k < this.down.machine.length; k++) this.bar(c, this.down, k, 0);
    const pad = row > 6 ? 1 : 0;
    for (let k = 0; k < bars.task.length; k++) {
      const type = DATA.tasks.type[bars.task[k]];
      if (this.hidden.has(type) || bars.kind[k] === LOST) continue;
      c.fillStyle = DATA.colours[type];
      c.globalAlpha = bars.kind[k] === REPLICA ? 0.45 : 1;
      this.bar(c, bars, k, pad);
    }
    c.globalAlpha = 1;
    c.fillStyle = "#c1121f";
    for (let k = 0; k < bars.task.length; k++) {
      if (bars.kind[k] === LOST && !this.hidden.has(DATA.tasks.type[bars.task[k]])) this.bar(c, bars, k, row / 4);
    }
    c.restore();
    this.drawAxis(c);
  }

  bar(c, bars, k, pad) {
    const left = Math.max(this.x(bars.begin[k]), LABEL - 2), right = Math.min(this.x(bars.end[k]), this.width + 2);
    if (right < LABEL || left > this.width) return;
    c.fillRect(left, bars.machine[k] * this.row + pad, Math.max(right - left, 0.7), this.row - 2 * pad);
  }

  drawRows(c) {
    const every = Math.ceil(11 / this.row);
    c.font = "11px system-ui, DejaVu Sans, sans-serif";
    c.textBaseline = "middle";
    c.fillStyle = "#fdf0d5";
    DATA.machines.forEach((machine, m) => {
      if (machine.volatile) c.fillRect(0, m * this.row, this.width, this.row);
    });
    DATA.machines.forEach((machine, m) => {
      if (m % every !== 0) return;
      c.fillStyle = machine.volatile ? "#9a4a00" : INK;
      c.fillText(`${machine.volatile ? "\u26a1" : ""}${machine.name}`, 4, (m + 0.5) * this.row, LABEL - 8);
    });
  }

  drawAxis(c) {
    const y = this.height - AXIS, span = this.to - this.from;
    const rough = span / Math.max(2, (this.width - LABEL) / 90);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(k => k * power).find(s => s >= rough);
    c.strokeStyle = LINE; c.fillStyle = SOFT; c.textAlign = "center";
    for (let t = Math.ceil(this.from / step) * step; t <= this.to; t += step) {
      const x = this.x(t);
      c.beginPath(); c.moveTo(x, 0); c.lineTo(x, y); c.stroke();
      c.fillText(`${Number(t.toPrecision(6))} s`, Math.min(x, this.width - 22), y + 13);
    }
    c.textAlign = "left";
  }

  show(from, to) {
    const least = this.end * 1e-6, span = Math.min(Math.max(to - from, least), this.end);
    this.from = Math.min(Math.max(from, 0), this.end - span);
    this.to = this.from + span;
    this.request();
  }

  listen() {
    let held = null;
    this.canvas.addEventListener("wheel", event => {
      event.preventDefault();
      const at = this.time(event.offsetX), factor = Math.exp(event.deltaY * 0.0015);
      this.show(at - (at - this.from) * factor, at + (this.to - at) * factor);
    }, { passive: false });
    this.canvas.addEventListener("pointerdown", event => {
      held = { x: event.clientX, from: this.from, to: this.to };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointerup", () => { held = null; });
    this.canvas.addEventListener("pointermove", event => {
      if (!held) return this.point(event);
      const moved = (held.x - event.clientX) / (this.width - LABEL) * (held.to - held.from);
      this.tip.style.display = "none";
      this.show(held.from + moved, held.to + moved);
    });
    this.canvas.addEventListener("pointerleave", () => { this.tip.style.display = "none"; });
    this.canvas.addEventListener("dblclick", () => this.show(0, this.end));
  }

  at(x, y) {
    const machine = Math.floor(y / this.row), time = this.time(x), slack = 2 * (this.to - this.from) / this.width;
    let nearest = null, best = slack;
    for (const k of this.byMachine[machine] || []) {
      if (this.hidden.has(DATA.tasks.type[this.bars.task[k]])) continue;
      const apart = Math.max(this.bars.begin[k] - time, time - this.bars.end[k], 0);
      if (apart < best || (apart === 0 && nearest === null)) { nearest = k; best = apart; }
    }
    return nearest;
  }

  point(event) {
    const k = event.offsetX < LABEL ? null : this.at(event.offsetX, event.offsetY);
    this.tip.style.display = k === null ? "none" : "block";
    if (k === null) return;
    this.tip.textContent = this.describe(this.bars, k);
    this.tip.style.left = `${Math.min(event.clientX + 14, window.innerWidth - 395)}px`;
    this.tip.style.top = `${Math.min(event.clientY + 14, window.innerHeight - this.tip.offsetHeight - 8)}px`;
  }
}
