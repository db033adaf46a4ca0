// Script of the page of a radio map: which picture is shown.
(function () {
"use strict";
var byId = page.byId, all = page.all, choice = byId("map-layer");
var show = page.chooseHeat(choice);
function toggle(box, selector) {
  if (!byId(box)) { return; }
  byId(box).addEventListener("change", function () {
    all(selector).forEach(function (part) { part.classList.toggle("off", !byId(box).checked); });
  });
}
toggle("map-survey", ".surveyed");
toggle("map-proposals", ".proposals");
choice.addEventListener("change", function () { page.writeAddress({ show: page.data.layers[Number(choice.value)] }); });
function followAddress() {
  var named = page.readAddress(), place = named ? page.data.layers.indexOf(named.show) : -1;
  if (place >= 0) { choice.value = place; show(); }
}
window.addEventListener("hashchange", followAddress);
followAddress();
})();
