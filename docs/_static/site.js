// What the theme leaves without a name, for those who hear the page: the arrows that open a part of the navigation,
// and the search button, whose label must hold the words that it shows.
document.addEventListener("DOMContentLoaded", () => {
  for (const arrow of document.querySelectorAll("details > summary")) {
    const link = arrow.parentElement.parentElement.querySelector(":scope > a");
    if (link && !arrow.textContent.trim()) arrow.setAttribute("aria-label", `Pages of ${link.textContent.trim()}`);
  }
  for (const button of document.querySelectorAll(".search-button__button")) {
    const shown = button.innerText.replace(/\s+/g, " ").trim();
    if (shown) button.setAttribute("aria-label", shown);
  }
});
