// The doctor: when the owner asks, trackerd checks each of its parts; the page shows the findings and their remedies.

import { element, seconds } from "./words.js";

const by = id => document.getElementById(id);

/// Lets the button start the checks; `ask` sends a request and returns its result.
export function offerDoctor(ask) {
  by("examine").addEventListener("click", () => examine(ask));
}

async function examine(ask) {
  by("examine").disabled = true;
  by("verdict").textContent = "trackerd checks its parts. This takes up to a minute …";
  try {
    const found = await ask("/api/doctor");
    by("findings").replaceChildren(...found.findings.map(row));
    by("doctor-table").hidden = found.findings.length === 0;
    by("verdict").textContent = `${found.verdict} Checked at ${seconds(Date.parse(found.time))}.`;
  } catch (error) {
    by("verdict").textContent = error.message;
  }
  by("examine").disabled = false;
}

/// A row of the table. The roles keep it a table for screen readers, although the style sheet arranges the cells as a grid.
function row(finding) {
  const made = element("tr"), name = element("th", finding.check), state = element("td", finding.grade, finding.grade);
  const text = element("td", finding.text, "finding");
  name.scope = "row";
  if (finding.remedy) text.append(element("p", finding.remedy, "remedy"));
  for (const [cell, role] of [[made, "row"], [name, "rowheader"], [state, "cell"], [text, "cell"]]) cell.setAttribute("role", role);
  made.append(name, state, text);
  return made;
}
