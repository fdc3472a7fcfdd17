// The words for generated catalogs that are too large to be written by hand.

const listOf = (text) =>
  text
    .trim()
    .split(/\s*,\s*/)
    .map((entry) => entry.replace(/\s+/g, ' '))

/** What tools do, and synonyms for it. */
export const actions = `
get: fetch, show me, look up
list: show, enumerate, give me all
create: make, add, set up
update: change, edit, adjust
delete: remove, get rid of, drop
search: find, look for, hunt down
send: deliver, forward, pass on
export: download, save, dump
import: upload, bring in, load
approve: sign off, accept, confirm
archive: put away, shelve, store
assign: hand over, give, allot
cancel: call off, abort, stop
close: finish, wrap up, end
compare: contrast, weigh up, hold side by side
convert: turn, transform, change
copy: duplicate, clone, replicate
count: tally, number, total
merge: combine, join, unite
move: shift, relocate, transfer
publish: release, post, put out
rename: retitle, give another name to, relabel
reopen: open again, revive, bring back
restore: recover, undo the loss of, get back
review: inspect, go over, check
schedule: plan, book, arrange
share: give access to, show others, distribute
sort: order, arrange, rank
subscribe: follow, sign up for, watch
summarize: sum up, condense, shorten
sync: align, bring in line, mirror
tag: label, mark, categorize
translate: put into another language, render, localize
validate: verify, check, test
watch: monitor, observe, keep an eye on
split: divide, break up, separate
estimate: guess, predict, forecast
lock: freeze, protect, block
print: put on paper, output, render
refund: pay back, return the money for, reimburse
`
  .trim()
  .split('\n')
  .map((line) => {
    const [word, others] = line.split(': ')
    return { word, others: listOf(others) }
  })

/** The objects of the actions. */
export const objects = listOf(`
  user, order, invoice, file, message, report, event, task, ticket, contact, document, payment, product, project, account,
  customer, comment, image, dashboard, database, deployment, domain, device, discount, draft, dataset, delivery, employee,
  email, endpoint, expense, experiment, feature, folder, form, flight, feedback item, forecast, group, goal, guest, gateway,
  holiday, host, hotel room, idea, incident, index, interview, inventory item, integration, job, journey, key, knowledge
  article, label, lead, lesson, library, license, location, log entry, loan, meeting, member, menu, metric, milestone, model,
  monitor, network, note, notification, offer, opening, opportunity, organization, package, page, parcel, password, patient,
  permission, photo, pipeline, playlist, podcast, policy, poll, prescription, price, printer, profile, promotion, proposal,
  purchase, queue, question, quote, recipe, recording, region, release, reminder, rental, repository, request, reservation,
  resource, response, review, reward, risk, role, route, rule, salary, sample, schedule, score, screenshot, secret, segment,
  sensor, server, session, shift, shipment, signature, site, snapshot, song, spreadsheet, sprint, statement, stock, store,
  story, subscription, supplier, survey, table, team, template, tenant, test run, thread, timesheet, topic, trade, training,
  transaction, trip, vehicle, vendor, version, video, visit, volume, voucher, warehouse, warranty, webhook, widget, workflow
`).map((one) => {
  const many = /(?:s|x|ch|sh)$/.test(one)
    ? `${one}es`
    : /[^aeiou]y$/.test(one)
      ? `${one.slice(0, -1)}ies`
      : `${one}s`
  return { one, many }
})

export const manners = listOf(`
  new, open, recent, overdue, shared, archived, monthly, pending, active, public, private, internal, external, scheduled,
  recurring, failed, unread, urgent, custom, default, duplicate, expired, favourite, annual, weekly, daily, anonymous,
  encrypted, filtered, linked, local, remote, missing, nested, paid, unpaid, temporary, verified, regional
`)

/** Kinds of services. */
export const kinds = listOf(`
  issue tracker, online shop, mail server, calendar, code host, bookkeeping system, cloud drive, chat, help desk, payroll,
  travel agency, clinic, school, fleet manager, warehouse, newsletter tool, data lake, build server, photo archive, bank,
  insurance desk, hiring portal, weather station, energy meter, music service, ticket office, real estate register, gym,
  restaurant guide, translation bureau, survey tool, phone system, password vault, map service, news desk, legal archive,
  laboratory, farm planner, museum, sports league
`)

/** Purposes. */
export const purposes = `
  nobody has to ask twice
  the numbers match at the end of the quarter
  the whole team sees what has changed
  auditors can follow every step
  customers hear of it the same day
  nothing is lost when somebody leaves
  duplicates are noticed early
  the budget is not exceeded
  old entries do not get in the way
  the next release can start in time
  results come back in pages of fifty
  only people with the right role can do it
  times are given in the zone of the account
  large batches run in the background
  a summary is mailed to the owner
  amounts are converted to the currency of the account
  the original stays as it was
  the answer holds links to every entry
  changes can be undone for thirty days
  a dry run shows what would happen
`
  .trim()
  .split(/\s*\n\s*/)

const fieldNames = listOf(`
  name, status, limit, page, owner, date, query, title, tags, format, language, currency, amount, due date, priority, start,
  end, email, folder, region, color, size, note, reason, reviewer, cursor, order, filter, depth, timezone, version, channel,
  parent, visibility, threshold, quantity, discount code, street, postcode, country, latitude, longitude, phone, width,
  height, checksum, encoding, branch, commit, severity, category, supplier, batch size, retention, locale, template, audience
`)
const TYPES = ['string', 'string', 'integer', 'boolean', 'number']

export const fields = fieldNames.map((name, index) => ({
  name: name.replaceAll(' ', '_'),
  type: TYPES[index % TYPES.length],
  description: `The ${name}`,
}))

export const syllables = listOf(`
  ba, bel, bri, cal, cor, dal, den, dor, el, fen, fi, flo, gal, gri, ha, hel, io, jan, jo, kal, ki, kor, la, len, lu, mar, mel,
  mi, mo, nal, ne, nor, ob, or, pal, pe, pli, quil, ra, ren, ri, ro, sal, sen, si, sol, ta, tel, ti, tor, ul, va, vel, vi, vor,
  wen, xa, yor, za, zen
`)
