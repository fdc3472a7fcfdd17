/** The ways in which programs encode a plain value. */

const percent = (value, toCase) =>
  [...Buffer.from(value, 'utf8')]
    .map((byte) => {
      const sign = String.fromCharCode(byte)
      return /[A-Za-z0-9._~-]/.test(sign) ? sign : `%${toCase(byte.toString(16).padStart(2, '0'))}`
    })
    .join('')

export const encodings = {
  plain: (value) => value,
  json: (value) => JSON.stringify(value).slice(1, -1),
  'json slashes': (value) =>
    JSON.stringify(value)
      .slice(1, -1)
      .replaceAll('/', String.raw`\/`),
  'json unicode': (value) =>
    value.replace(/[^A-Za-z0-9]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'percent upper': (value) => percent(value, (text) => text.toUpperCase()),
  'percent lower': (value) => percent(value, (text) => text.toLowerCase()),
  base64: (value) => Buffer.from(value).toString('base64'),
  'base64 url': (value) => Buffer.from(value).toString('base64url'),
  'html entities': (value) =>
    value.replace(
      /[&<>"'/=]/g,
      (sign) =>
        ({
          '&': '&amp;',
          '<': '&lt;',
          '>': '&gt;',
          '"': '&quot;',
          "'": '&#39;',
          '/': '&#x2F;',
          '=': '&#61;',
        })[sign],
    ),
}
