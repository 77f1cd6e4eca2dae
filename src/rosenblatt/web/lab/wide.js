// A run over all columns of a file: no plane can show it, so the player shows the weights as bars.

import { button, card, html } from "./draw.js";

export function makeWide(lab, into) {
  let player = null;
  const close = () => {
    player?.remove();
    into.replaceChildren();
  };
  lab.showWide = async (name, { trace, note, why }) => {
    close();
    const { mount } = await import("../player/player.js");
    const place = html("div");
    const columns = trace.features.length - Number(trace.bias);
    const about =
      `${trace.rows.length} rows, ${columns} feature${columns === 1 ? "" : "s"}, scaled as \`rosenblatt train\` scales ` +
      `them. Each bar is a weight. ${why} ${note}`;
    into.append(card(`All columns of ${name}`, html("p", {}, about), button("Close", close), place));
    player = mount(place, trace);
    lab.tabs.show("bench");
    into.scrollIntoView({ block: "start" });
    lab.say(about);
  };
}
