import { closeSync, lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createDraft } from '../../../catalog/create-draft.js'
import type { ExecuteContext } from '../../../catalog/execute-context.js'
import { toolOutput, type ToolOutput } from '../../../catalog/tool-output.js'
import type { ToolDraft } from '../../../catalog/tool-draft.js'
import { fileStamp } from '../../../platform/files/file-stamp.js'
import { followLinks } from '../../../platform/files/follow-links.js'
import { oneLine } from '../../../platform/text/printable.js'
import { truncate } from '../../../platform/text/truncate.js'
import type { ProtectedPaths } from '../../../policy/protected-paths.js'
import { createSectionSearch, type Section, type SectionSearch } from '../../../search/section-search.js'
import { stemOf, toStems } from '../../../search/words/to-stems.js'
import type { OpenBuiltin } from '../builtin.js'
import { fileProblem, shown } from '../files/access/file-problem.js'
import type { FilePlace } from '../files/access/file-roots.js'
import { openFile } from '../files/access/open-checked.js'
import { readWhole } from '../files/access/read-bytes.js'
import { decodeText, detectText } from '../files/text/text-encoding.js'
import { walkFolder } from '../files/walk/walk-folder.js'
import { readSections } from './read-sections.js'

interface DocsInput {
  readonly query: string
  readonly limit?: number
}

interface DocsSection extends Section, FilePlace {
  /** Relative to the folder. */
  readonly file: string
  readonly line: number
}

interface DocsIndex {
  /** Changes with every file. */
  readonly stamp: string
  readonly files: number
  readonly sections: SectionSearch<DocsSection>
}

const DEFAULT_LIMIT = 5
const MAX_LIMIT = 20
const MAX_FILE_BYTES = 2 * 1024 * 1024
const EXCERPT_CHARS = 400

/** A search in the Markdown files of a folder. */
export const open: OpenBuiltin<'docs'> = async (settings, { folder: base, storage }) => {
  const folder = resolve(base, settings.folder ?? 'docs')
  const { protectedPaths } = storage
  let index: DocsIndex | undefined

  async function currentIndex(signal: AbortSignal): Promise<DocsIndex> {
    const files = await listMarkdown(folder, { protectedPaths, signal })
    const stamp = files.map(({ real }) => `${real} ${fileStamp(real) ?? ''}`).join('\n')
    if (index?.stamp !== stamp)
      index = { stamp, files: files.length, ...(await readAll(files, protectedPaths)) }
    return index
  }

  return { drafts: [docsTool(folder, currentIndex)] }
}

function docsTool(folder: string, currentIndex: (signal: AbortSignal) => Promise<DocsIndex>): ToolDraft {
  return createDraft({
    namespace: 'docs',
    name: 'search',
    title: 'Search the documents',
    description:
      'Find sections of the Markdown documents of this project by words. Gives files, lines and excerpts.',
    searchHint: 'search documentation, docs, manual, guide, notes or knowledge in Markdown',
    kind: 'retrieval',
    capabilityRefs: ['local_document_search'],
    annotations: { file_roots: [folder] },
    input: {
      modelSchema: {
        type: 'object',
        properties: {
          query: {
            type: 'string',
            minLength: 1,
            maxLength: 1000,
            description: 'What the section should be about.',
          },
          limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
        },
        required: ['query'],
        additionalProperties: false,
      },
      examples: [{ query: 'how to deny a tool' }],
    },
    output: { schema: OUTPUT_SCHEMA },
    facts: {
      is_read_only: true,
      is_destructive: false,
      is_open_world: false,
      is_concurrency_safe: true,
      requires_user_interaction: false,
    },
    reach: { runs: 'in_process', folders: [folder], declaresPaths: true },
    permission: {
      risk_level: 'low',
      access_kinds: ['file_read'],
      write_effects: ['none'],
      network_scope: 'none',
      tenant_scope: 'machine',
    },
    execution: {
      kind: 'embedded_runtime',
      supports: ['cancel', 'offline'],
      interruptBehavior: 'cancel',
      isIdempotent: true,
    },
    execute: async (input: DocsInput, context: ExecuteContext) =>
      searchDocs(await currentIndex(context.signal), input, context),
  })
}

const OUTPUT_SCHEMA = {
  type: 'object',
  properties: {
    sections: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          file: { type: 'string' },
          line: { type: 'integer' },
          title: { type: 'string' },
          excerpt: { type: 'string' },
          score: { type: 'number' },
        },
        required: ['file', 'line', 'title', 'excerpt', 'score'],
      },
    },
    files_searched: { type: 'integer' },
  },
  required: ['sections', 'files_searched'],
} as const

function searchDocs(
  { sections: search, files }: DocsIndex,
  input: DocsInput,
  context: ExecuteContext,
): ToolOutput {
  const found = search.search(input.query, {
    limit: input.limit ?? DEFAULT_LIMIT,
    mayFind: ({ path, real }) => context.mayTouch(path, 'read', real),
  })
  const wanted = new Set(toStems(input.query))
  const sections = found.map(({ section: { file, line, title, text }, score }) => ({
    file,
    line,
    title,
    excerpt: excerptOf(text, wanted),
    score,
  }))
  const said = sections.map(
    ({ file, line, title, excerpt }) => `${oneLine(file)}:${line} ${title}\n${excerpt}`,
  )
  return toolOutput({
    content: [
      {
        type: 'text',
        text: said.length === 0 ? `Nothing about that in ${files} documents.` : said.join('\n\n'),
      },
    ],
    structured: { sections, files_searched: files },
    resourceRefs: [...new Map(found.map(({ section }) => [section.path, section])).values()].map(
      ({ path, file }) => ({
        ref_id: pathToFileURL(path).href,
        uri: pathToFileURL(path).href,
        name: file,
        media_type: 'text/markdown',
        access: 'local_file',
        relation: 'read',
      }),
    ),
  })
}

/** The part of a text in which most words of the query are. */
function excerptOf(text: string, wanted: ReadonlySet<string>): string {
  const paragraphs = text.split(/\n\s*\n/).map((each) => each.trim())
  const hits = (paragraph: string): number =>
    new Set(
      toStems(paragraph)
        .map(stemOf)
        .filter((stem) => wanted.has(stem)),
    ).size
  const best = paragraphs.reduce((one, other) => (hits(other) > hits(one) ? other : one), paragraphs[0] ?? '')
  return truncate(best, EXCERPT_CHARS)
}

interface ListOptions {
  readonly protectedPaths: ProtectedPaths | undefined
  readonly signal: AbortSignal
}

/** The Markdown files of a folder. Who may see which of them is asked at each search. */
async function listMarkdown(folder: string, { protectedPaths, signal }: ListOptions): Promise<DocsFile[]> {
  const place = { path: folder, real: followLinks(folder) }
  if (!lstatSync(place.real, { throwIfNoEntry: false }))
    throw fileProblem(
      'file_not_found',
      `There is no folder ${shown(folder)}; name another under builtins.docs.folder.`,
    )
  const context = { signal, mayTouch: () => true }
  const { entries } = await walkFolder(place, { protectedPaths, context, obeysIgnore: true })
  return entries
    .filter(({ isFile, path }) => isFile && /\.(?:md|markdown|mdx)$/i.test(path))
    .map(({ path, real, segments }) => ({ path, real, file: join(...segments) }))
}

interface DocsFile extends FilePlace {
  readonly file: string
}

async function readAll(
  files: readonly DocsFile[],
  protectedPaths: ProtectedPaths | undefined,
): Promise<Pick<DocsIndex, 'sections'>> {
  const sections: DocsSection[] = []
  for (const place of files) {
    const text = await readMarkdown(place, protectedPaths)
    for (const { headings, line, text: body } of readSections(text))
      sections.push({ ...place, line, title: headings.join(' > ') || place.file, text: body })
  }
  return { sections: createSectionSearch(sections) }
}

/** A file that is gone, too large or not text has no sections. */
async function readMarkdown(place: FilePlace, protectedPaths: ProtectedPaths | undefined): Promise<string> {
  try {
    const file = openFile(place, protectedPaths)
    try {
      if (file.stats.size > MAX_FILE_BYTES) return ''
      const bytes = await readWhole(file, place.path)
      const form = detectText(bytes)
      return form ? decodeText(bytes, form) : ''
    } finally {
      closeSync(file.descriptor)
    }
  } catch {
    return ''
  }
}
