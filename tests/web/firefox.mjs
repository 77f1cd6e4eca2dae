// Opens the exported lab in Firefox and does a few things as a person would; prints what it saw as one line of JSON.
// node firefox.mjs FIREFOX MODULES FILE: the browser, the folder that holds puppeteer-core, the page.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [firefox, modules, file] = process.argv.slice(2);
const puppeteer = createRequire(`${modules}/`)("puppeteer-core");
const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true });
const seen = { wrong: [], asked: [] };
try {
  const page = await browser.newPage();
  page.on("console", (message) => seen.wrong.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => seen.wrong.push(`error: ${error.message}`));
  page.on("request", (request) => seen.asked.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => window.lab?.state.course?.updates > 0, { timeout: 60000 });
  seen.updates = await page.evaluate(() => window.lab.state.course.updates);

  // One run: to the end, and a step back to the mistake before it.
  await page.evaluate(() => window.lab.time.pause());
  await page.evaluate(() => window.lab.state.goTo(window.lab.state.course.length));
  seen.end = await page.evaluate(() => Array.from(window.lab.state.moment().after));

  // One lesson: its tab by a click, the first lesson opened.
  const click = async (selector, text) => {
    const handle = await page.evaluateHandle(
      (selector, text) =>
        Array.from(document.querySelectorAll(selector)).find(
          (each) => each.textContent.includes(text) && each.offsetParent,
        ),
      selector,
      text,
    );
    await handle.asElement().click();
  };
  await click("nav a, nav button, [role=tab]", "Lessons");
  await page.waitForSelector("#lesson-list li", { visible: true, timeout: 60000 });
  seen.lessons = await page.$$eval("#lesson-list > li", (list) => list.length);
  await page.click("#lesson-list li button, #lesson-list li a");
  await page.waitForFunction(() => document.body.innerText.includes("Check"), { timeout: 60000 });
  seen.lesson = true;
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
