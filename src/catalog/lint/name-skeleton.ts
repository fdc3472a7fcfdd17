/** Letters of other scripts that look like Latin ones, in lower case after folding. */
const LOOK_ALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    a: 'аαɑ',
    b: 'Ьв',
    c: 'сϲ',
    d: 'ԁ',
    e: 'еєҽ',
    g: 'ɡ',
    h: 'һн',
    i: 'іιı',
    j: 'ј',
    k: 'кκ',
    l: '1|ӏⅼ',
    m: 'мⅿ',
    n: 'пո',
    o: '0оοօ',
    p: 'рρ',
    q: 'ԛ',
    r: 'г',
    s: 'ѕ5',
    t: 'тτ',
    u: 'υս',
    v: 'νѵ',
    w: 'ԝω',
    x: 'хχ',
    y: 'уγ',
    z: 'ᴢ',
  }).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
)

/** The Latin letter that a letter of another script looks like; the letter itself where it looks like none. */
export function letterLike(sign: string): string {
  const latin = LOOK_ALIKES[sign.toLowerCase()]
  if (latin === undefined) return sign
  return sign === sign.toLowerCase() ? latin : latin.toUpperCase()
}

/** A simplified form of a name: names with the same skeleton look the same. */
export function nameSkeleton(name: string): string {
  const folded = name
    .normalize('NFKD')
    .replaceAll(/\p{M}|\p{Default_Ignorable_Code_Point}|[\s_.\-/‐-―]/gu, '')
    .replaceAll('I', 'l')
    .toLowerCase()
  return [...folded].map((sign) => LOOK_ALIKES[sign] ?? sign).join('')
}

/** Whether adding, removing or changing one letter turns one into the other. A counted-up number is no disguise. */
export function isOneEditApart(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  const room = Math.min(a.length, b.length) - start
  while (end < room && a.at(-1 - end) === b.at(-1 - end)) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  return left.length <= 1 && right.length <= 1 && !/^\d*$/.test(left + right)
}
