/** Characters that a person does not see and a model reads: each kind, with its name. */
const KINDS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/[\u{E0000}-\u{E007F}]/u, 'tag characters'],
  [/[\u202A-\u202E\u2066-\u2069\u061C]/u, 'signs that turn the direction of the text'],
  [
    /[\u200B\u200E\u200F\u2060-\u2064\uFEFF\u00AD\u180E\u3164\u115F\u1160\uFFA0\u2800]/u,
    'zero-width or blank characters',
  ],
  [/\u200C|\u200D/u, 'zero-width joiners'],
  [/[\u2028\u2029]/u, 'line ends that no screen shows'],
  // A word in two scripts is a disguise where letters of one look like letters of the other.
  [
    /\p{Script=Latin}{2}[\p{Script=Cyrillic}ονιρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]|[\p{Script=Cyrillic}ονιρυΑΒΕΖΗΙΚΜΝΟΡΤΥΧ]\p{Script=Latin}{2}/u,
    'letters of another script within a word',
  ],
  [/[\u{E0100}-\u{E01EF}]|[\uFE00-\uFE0E]|\uFE0F/u, 'variation selectors'],
  // Control characters but tab and line ends.
  // oxlint-disable-next-line no-control-regex
  [/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/u, 'control characters'],
]

/** Legitimate uses: parts of an emoji, and joiners between letters of scripts that need them. */
const AT_HOME: readonly RegExp[] = [
  /\u{1F3F4}[\u{E0061}-\u{E007A}\u{E0030}-\u{E0039}]{3,6}\u{E007F}/gu,
  /(?<=[\p{Emoji}\p{Emoji_Modifier}])\uFE0F/gu,
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200D(?=\p{Extended_Pictographic})/gu,
  /(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}\p{M}])[\u200C\u200D]/gu,
]

/** Names what a text hides; undefined where it hides nothing. */
export function findHidden(text: string): string | undefined {
  // oxlint-disable-next-line no-control-regex
  if (/^[\t\n\r\u0020-\u007E]*$/.test(text)) return undefined
  const rest = AT_HOME.reduce((left, pattern) => left.replaceAll(pattern, ''), text)
  return KINDS.find(([pattern]) => pattern.test(rest))?.[1]
}
