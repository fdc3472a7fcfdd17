import type { ContentKind } from '../content-kind.js'

const endings: Readonly<Partial<Record<ContentKind, string>>> = {
  json: 'json geojson ipynb webmanifest map',
  json_lines: 'jsonl ndjson',
  table: 'csv tsv psv',
  log: 'log out err',
  diff: 'diff patch',
  markup: 'html htm xml svg xhtml rss plist vue svelte',
  code: 'ts tsx mts cts js jsx mjs cjs py rb go rs java kt kts scala c h cc cpp cxx hpp cs swift php pl lua r jl sh bash zsh fish ps1 sql css scss less dart ex exs erl hs ml clj zig nim proto graphql tf',
  text: 'md markdown txt rst adoc',
}

const kindOfEnding = new Map(
  Object.entries(endings).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as ContentKind] as const),
  ),
)

/** The kind for a file extension. */
export function kindOfName(name: string): ContentKind | undefined {
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1]
  return ending === undefined ? undefined : kindOfEnding.get(ending.toLowerCase())
}
