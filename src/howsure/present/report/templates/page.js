// Light and dark mode, the choice among alternatives, and saving figures.
(() => {
"use strict";
const root = document.documentElement, button = document.getElementById("theme");
const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
const show = () => button.setAttribute("aria-pressed", String(dark()));
button.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; show(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
show();

// Show one of several alternatives.
for (const list of document.querySelectorAll(".alternatives")) list.querySelector("select").addEventListener("change", event => {
  list.querySelectorAll(".alternative").forEach((part, i) => part.classList.toggle("chosen", i === +event.target.value));
});

// A saved figure needs its computed colours, because custom properties have no values outside the page.
const PAINT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "opacity", "display", "font-size", "font-weight", "font-family"];
function standalone(svg) {
  const copy = svg.cloneNode(true), from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, i) => { const style = getComputedStyle(element); for (const name of PAINT) to[i].style.setProperty(name, style.getPropertyValue(name)); });
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  copy.setAttribute("width", width); copy.setAttribute("height", height);
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  return [new XMLSerializer().serializeToString(copy), +width, +height];
}
function offer(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
for (const save of document.querySelectorAll("[data-save]")) save.addEventListener("click", () => {
  const [text, width, height] = standalone(save.closest("figure").querySelector(".chart")), name = `${save.dataset.name}.${save.dataset.save}`;
  if (save.dataset.save === "svg") return offer(new Blob([text], { type: "image/svg+xml" }), name);
  const image = new Image(), scale = 3;
  image.onload = () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: width * scale, height: height * scale }), paper = canvas.getContext("2d");
    paper.fillStyle = getComputedStyle(document.body).backgroundColor;
    paper.fillRect(0, 0, canvas.width, canvas.height);
    paper.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => offer(blob, name));
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
});
})();
