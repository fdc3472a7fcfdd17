import type { ArtifactVersion, ToolcribArtifact } from '../../../contract/objects/toolcrib-artifact.js'
import { cutText, wrapText } from '../terminal/fit-text.js'
import { oneLine, printable } from '../../../platform/text/printable.js'
import { dateAndTime } from '../terminal/short-time.js'
import { sizeText } from '../terminal/size-text.js'
import type { Terminal } from '../terminal/terminal.js'

const LABEL_COLUMNS = 11
const PREVIEW_LINES = 12

/** All facts of one artifact. */
export function artifactLines(artifact: ToolcribArtifact, terminal: Terminal): string[] {
  const { style } = terminal
  const { versions, export_refs: exports, handoff_refs: handOffs, removed_at: removed } = artifact
  const fact = factWriter(terminal)
  return [
    `${style.bold(oneLine(artifact.name))}${removed === undefined ? '' : '  removed'}`,
    ...fact('artifact', artifact.artifact_id),
    ...fact('title', artifact.title),
    ...fact('is', artifact.description),
    ...fact('created', dateAndTime(artifact.created_at)),
    ...(removed === undefined ? [] : fact('removed', dateAndTime(removed))),
    ...versions.flatMap((version) => ['', ...tellVersion(version, terminal)]),
    ...(versions.length === 0 ? [] : ['', style.bold('Preview'), ...previewOf(versions.at(-1)!, terminal)]),
    ...(handOffs.length === 0 ? [] : ['', style.bold('Handed off')]),
    ...handOffs.flatMap(({ to, purpose, version, at, by, ref }) => [
      ...fact('to', `${to}${purpose === undefined ? '' : ` (${purpose})`}, version ${version}`),
      ...fact('', `${dateAndTime(at)}${by === undefined ? '' : ` by ${by}`}`),
      ...fact('', ref),
    ]),
    ...(exports.length === 0 ? [] : ['', style.bold('Exported')]),
    ...exports.flatMap(({ uri, at, version, by }) => [
      ...fact('to', uri),
      ...fact('', `version ${version}, ${dateAndTime(at)}${by === undefined ? '' : ` by ${by}`}`),
    ]),
  ]
}

function tellVersion(version: ArtifactVersion, terminal: Terminal): string[] {
  const fact = factWriter(terminal)
  const { provenance: from, size_bytes: size, line_count: lines } = version
  const length =
    lines === undefined ? '' : `, ${lines.toLocaleString('en-US')} ${lines === 1 ? 'line' : 'lines'}`
  return [
    terminal.style.bold(`Version ${version.version}`),
    ...fact('made', dateAndTime(version.created_at)),
    ...fact('is', `${version.media_type}, ${sizeText(size)}${length}`),
    ...fact('ref', version.uri),
    ...fact('digest', version.digest),
    ...fact('redaction', version.redaction_state.replaceAll('_', ' ')),
    ...fact('call', from.invocation_id),
    ...fact('tool', `${from.tool_id} ${from.tool_fingerprint}`),
    ...fact('by', from.actor),
    ...fact('session', from.session),
    ...from.input_digests.flatMap(({ uri, digest }) => fact('input', `${uri} ${digest}`)),
    ...from.source_refs.flatMap(({ uri, digest }) =>
      fact('made from', `${String(uri)}${digest === undefined ? '' : ` ${String(digest)}`}`),
    ),
  ]
}

function previewOf({ preview }: ArtifactVersion, { columns }: Terminal): string[] {
  const all = printable(preview).trimEnd().split('\n')
  const shown = all
    .slice(0, PREVIEW_LINES)
    .map((line) => `  ${cutText(line.replaceAll('\t', '  '), columns - 2)}`)
  return all.length > PREVIEW_LINES ? [...shown, '  …'] : shown
}

function factWriter({ style, columns }: Terminal) {
  return (label: string, text: string | undefined): string[] =>
    text === undefined || text === ''
      ? []
      : wrapText(oneLine(text), columns - LABEL_COLUMNS - 2).map(
          (line, index) => `  ${style.dim((index === 0 ? label : '').padEnd(LABEL_COLUMNS))}${line}`,
        )
}
