/** Names are folded first: a full-width or capital letter would bypass a deny. */
export function foldName(name: string): string {
  return PLAIN.test(name) ? name : name.normalize('NFKC').toLowerCase()
}

const PLAIN = /^[a-z0-9_.*-]+$/
