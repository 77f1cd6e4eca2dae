// A page that holds one run: its data is in the element #data, and it is played in #player.

import { mount } from "./player.js";

mount(document.getElementById("player"), JSON.parse(document.getElementById("data").textContent));
