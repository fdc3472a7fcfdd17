/** Contexts in which a published token has no space or sign before it, or nothing names it. */
export const glues = {
  'alone in prose': (token) => `I copied ${token} from the page, does it still work?`,
  'alone on a line': (token) => `first\n${token}\nlast`,
  'letters before': (token) => `x${token}`,
  'word before': (token) => `token${token}`,
  'underscore before': (token) => `backup_${token}`,
  'digits before': (token) => `2025${token}`,
  'file name': (token) => `/tmp/run_${token}.log`,
  'in brackets': (token) => `failed(${token})`,
  'after a comma': (token) => `a,b,${token},c`,
  'in an address': (token) => `https://example.com/hook/${encodeURIComponent(token)}/run`,
  'in json': (token) => JSON.stringify({ note: token }),
  'escaped json': (token) => JSON.stringify(JSON.stringify({ note: `see ${token}` })),
  'in html': (token) => `<p>${token}</p>`,
  'after a colon': (token) => `value:${token}`,
  'after a percent escape': (token) => `a%20${token}%20b`,
  'after a line escape': (token) => `log\\n${token}\\nnext`,
}
