import { toDraft } from './to-draft.mjs'
import { actions, fields, kinds, manners, objects, purposes, syllables } from './vocabulary.mjs'

/** The same numbers for the same seed, on every machine. */
export function createDice(seed) {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const below = (count) => Math.floor(next() * count)
  return {
    next,
    below,
    pick: (list) => list[below(list.length)],
    /** The first of a list more often than the last, as words are used. */
    lean: (list) => list[Math.floor(next() ** 2 * list.length)],
  }
}

const capital = (word) => word[0].toUpperCase() + word.slice(1)
const spelt = (words) => words.join(' ')

/** Invented products, each of one kind: they add the rare words that are common in large catalogs. */
function makeServices(dice, count) {
  const names = new Set()
  while (names.size < count) {
    const parts = Array.from({ length: 2 + dice.below(2) }, () => dice.pick(syllables))
    names.add(parts.join(''))
  }
  return [...names].map((name) => ({ name, kind: dice.pick(kinds) }))
}

const STYLES = [
  (words) => words.join('_'),
  (words) => words.map((word, index) => (index === 0 ? word : capital(word))).join(''),
  (words) => words.join('-'),
]

function describeTool(dice, { action, object, manner, service }) {
  const { kind } = service
  const what = spelt([action.word, ...manner, object.many])
  const openings = [
    `${capital(what)} in ${capital(service.name)}, the ${kind}.`,
    `${capital(what)}. Works with the ${kind} of ${capital(service.name)}.`,
    `Use this to ${what} of the ${kind}.`,
  ]
  const closing = dice.next() < 0.6 ? ` ${capital(dice.pick(purposes))}.` : ''
  return `${dice.pick(openings)}${closing}`
}

function makeParameters(dice, { object }) {
  const count = 1 + dice.below(5)
  const properties = {
    [`${object.one.replaceAll(' ', '_')}_id`]: {
      type: 'string',
      description: `Which ${object.one} is meant.`,
    },
  }
  for (let index = 0; index < count; index++) {
    const { name, type, description } = dice.lean(fields)
    properties[name] = { type, description: `${description} of the ${object.one}.` }
  }
  return { type: 'object', properties }
}

/** The subjects of a catalog's tools: all differ in service, action, manner or object. */
export function makeSubjects(count, seed) {
  const dice = createDice(seed)
  const services = makeServices(dice, Math.max(20, Math.round(count / 40)))
  const seen = new Set()
  const subjects = []
  while (subjects.length < count) {
    const service = dice.lean(services)
    const action = dice.lean(actions)
    const object = dice.lean(objects)
    const manner = dice.next() < 0.6 ? [dice.lean(manners)] : []
    const key = [service.name, action.word, spelt(manner), object.one].join(' ')
    if (seen.has(key)) continue
    seen.add(key)
    subjects.push({ service, action, object, manner })
  }
  return subjects
}

export function makeTools(subjects, seed) {
  const dice = createDice(seed)
  return subjects.map((subject, index) => {
    const { service, action, object, manner } = subject
    const words = [action.word, ...manner, ...object.one.split(' ')].flatMap((word) => word.split('-'))
    return toDraft({
      id: `t${index}`,
      namespace: service.name,
      name: STYLES[service.name.length % STYLES.length](words),
      description: describeTool(dice, subject),
      parameters: makeParameters(dice, subject),
    })
  })
}

const WISHES = [
  'can you {step}?',
  'I want to {step}.',
  'please {step}',
  '{step}',
  'how do I {step} before the meeting tomorrow?',
]
const LINKS = ['. Then ', ', and then ', '. After that, ', '. Finally, ', '; also ']

/** Questions about some of the subjects: half in the tool's words, half in other words, a third with several steps. */
export function makeQueries(subjects, { count, seed }) {
  const dice = createDice(seed)
  const stepOf = () => {
    const { action, object, manner, service } = dice.pick(subjects)
    const verb = dice.next() < 0.5 ? action.word : dice.pick(action.others)
    const where = dice.next() < 0.5 ? ` in ${capital(service.name)}` : ` of our ${service.kind}`
    const detail = dice.next() < 0.4 ? ` so that ${dice.pick(purposes)}` : ''
    return misspell(dice, spelt([verb, 'the', ...manner, object.many]) + where + detail)
  }
  return Array.from({ length: count }, (_, index) => {
    if (index % 3 !== 0) return dice.pick(WISHES).replace('{step}', stepOf())
    let task = capital(stepOf())
    for (let more = 2 + dice.below(4); more > 0; more--) task += dice.pick(LINKS) + stepOf()
    return `${task}.`
  })
}

/** One text in ten loses a letter of its longest word. */
function misspell(dice, text) {
  if (dice.next() > 0.1) return text
  const longest = text.split(' ').reduce((best, word) => (word.length > best.length ? word : best), '')
  const at = 1 + dice.below(longest.length - 1)
  return text.replace(longest, longest.slice(0, at) + longest.slice(at + 1))
}
