(() => {
  const plots = [...document.querySelectorAll("script.figure")].map((script) => ({
    place: document.getElementById(script.dataset.place),
    figure: JSON.parse(script.textContent),
  }));
  const ink = () => getComputedStyle(document.body).color;
  const options = { responsive: true, displaylogo: false, modeBarButtons: [["toImage", "resetScale2d"]] };
  for (const { place, figure } of plots) {
    figure.layout.font = { ...figure.layout.font, color: ink() };
    options.toImageButtonOptions = { format: "svg", filename: place.id };
    Plotly.newPlot(place, figure.data, figure.layout, { ...options });
  }
  const recolour = (more) => {
    for (const { place } of plots) Plotly.relayout(place, { "font.color": ink(), ...more });
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => recolour({}));
  const paper = matchMedia("print");
  const fit = () => recolour(paper.matches ? { autosize: false, width: 660 } : { autosize: true, width: null });
  paper.addEventListener("change", fit);
})();
