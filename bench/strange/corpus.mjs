import { createRandom } from '../../test/attack/random.mjs'
import { encodings } from './encodings.mjs'
import { glues } from './glues.mjs'
import { shapes } from './shapes.mjs'
import { drawValue, vendorForms } from './values.mjs'

/**
 * Texts with labelled secrets, the same for the same seed. `half` is `seen` or `held`: shapes, ways of repeating and
 * vendors are assigned to the two halves in turn, so that a rule written after a look at one half is tested on forms it
 * was not written for.
 */
export function strangeCorpus({ seed, size, half }) {
  const random = createRandom(seed)
  const mine = (list) => list.filter((_, at) => at % 2 === (half === 'seen' ? 0 : 1))
  const shapesHere = mine(shapes)
  const vendorsHere = mine(Object.keys(vendorForms))
  const gluesHere = mine(Object.keys(glues))
  const repeatsHere = mine(Object.keys(repeats))
  return Array.from({ length: size }, () => {
    const kind = random.below(10)
    if (kind < 6) return shaped(random, random.pick(shapesHere))
    if (kind < 8) return repeated(random, random.pick(shapesHere), random.pick(repeatsHere))
    return glued(random, random.pick(vendorsHere), random.pick(gluesHere))
  })
}

function shaped(random, [name, write, { names = [''], fits, hides, hidesText }]) {
  const { kind, value } = drawValue(random, fits)
  const text = write(random.pick(names), value, random)
  const found = hidesText?.exec(text)?.[1]
  return { class: name, kind, text, hidden: found === undefined ? (hides?.(value) ?? [value]) : [found] }
}

const repeats = {
  'plain again': { as: 'plain', write: (again) => `connecting again with ${again}\n` },
  'json again': { as: 'json', write: (again) => `body={"note":"${again}"}\n` },
  'json slashes again': { as: 'json slashes', write: (again) => `{"path":"${again}"}\n` },
  'unicode escapes again': { as: 'json unicode', write: (again) => `{"a":"${again}"}\n` },
  'percent upper again': { as: 'percent upper', write: (again) => `GET /x/${again}/y\n` },
  'percent lower again': { as: 'percent lower', write: (again) => `GET /x/${again}/y\n` },
  'base64 again': { as: 'base64', write: (again) => `sent ${again}\n` },
  'base64 url again': { as: 'base64 url', write: (again) => `sent ${again}\n` },
  'entities again': { as: 'html entities', write: (again) => `<p>${again}</p>\n` },
  'plain before': { as: 'plain', write: (again) => `trying ${again}\n`, before: true },
  'glued again': { as: 'plain', write: (again) => `/tmp/${again}.tmp\n` },
  'listed again': { as: 'plain', write: (again) => `args: ["run","${again}","now"]\n` },
}

function repeated(random, shape, repeatName) {
  const first = shaped(random, shape)
  const repeat = repeats[repeatName]
  const again = encodings[repeat.as](first.hidden[0])
  const other = repeat.write(again)
  const text = repeat.before ? `${other}${first.text}` : `${first.text}\nok\n${other}`
  return { class: `${repeatName} (${first.class})`, kind: first.kind, text, hidden: [first.hidden[0], again] }
}

function glued(random, vendor, glue) {
  const token = vendorForms[vendor](random)
  const secret = token.replace(/^https:\S+\/|^AccountKey=/, '')
  return {
    class: `${vendor}: ${glue}`,
    kind: 'vendor',
    text: glues[glue](token),
    hidden: [secret, encodeURIComponent(secret)],
  }
}

/** Whether most of a secret can still be read: a mask that leaves sixty per cent of it hides nothing. */
export function isExposed(output, secret) {
  const window = Math.max(4, Math.ceil(secret.length * 0.6))
  for (let at = 0; at + window <= secret.length; at++) {
    if (output.includes(secret.slice(at, at + window))) return true
  }
  return false
}
