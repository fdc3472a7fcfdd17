import type { ContentKind } from '../content-kind.js'
import type { PreviewKind } from '../preview-body.js'
import { unlessLinesAreLong } from './draw-long-lines.js'
import { previewCode } from './preview-code.js'
import { previewDiff } from './preview-diff.js'
import { previewJson } from './preview-json.js'
import { previewJsonLines } from './preview-json-lines.js'
import { previewListing } from './preview-listing.js'
import { previewLog } from './preview-log.js'
import { previewMarkup } from './preview-markup.js'
import { previewTable } from './preview-table.js'
import { previewText } from './preview-text.js'

/** The drawing function of each kind of content. Binary content is not drawn. */
export const drawers: Readonly<Record<Exclude<ContentKind, 'binary'>, PreviewKind>> = {
  json: previewJson,
  json_lines: previewJsonLines,
  table: previewTable,
  // Error lines are shown even where the other lines are long.
  log: (sample) =>
    (sample.errorLines.length > 0 && sample.lines > 1 ? previewLog : unlessLinesAreLong(previewLog))(sample),
  listing: unlessLinesAreLong(previewListing),
  diff: previewDiff,
  code: unlessLinesAreLong(previewCode),
  markup: previewMarkup,
  text: previewText,
}
