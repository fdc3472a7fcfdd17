import { addTo, ALLOW, firstSoft, insert, pick, stricterOf, type Entry } from '../rules/entry.js'
import type { JudgedCall } from '../judged-call.js'
import { mayLieBelow } from '../patterns/lies-below.js'
import { mayOverlap } from '../patterns/overlap.js'
import {
  isWild,
  plainName,
  segmentsOf,
  toPathTest,
  toSegmentTest,
  type PathPattern,
} from '../patterns/path-pattern.js'
import type { TouchedPath } from '../commands/touched.js'

interface Folder {
  readonly children: Map<string, Folder>
  /** Rules about this folder or file and everything below. */
  readonly here: Entry[]
  /** Rules about the content of the folder. */
  readonly below: Entry[]
  /** Rules with wildcards whose plain part ends here. */
  readonly wild: { test: (path: readonly string[]) => boolean; entries: Entry[] }[]
}

/** A path to look up; the index decides whether reading or writing is meant. */
type Findable = Omit<TouchedPath, 'access'>

const newFolder = (): Folder => ({ children: new Map(), here: [], below: [], wild: [] })

/** Path patterns as a tree of folders: a path is compared only with rules on its way. */
export class PathIndex {
  readonly #root = newFolder()
  readonly #names = new Map<string, Entry[]>()
  readonly #wildNames: { test: (segment: string) => boolean; entries: Entry[] }[] = []
  readonly #endings = new Map<string, Entry[]>()
  readonly #tight: Entry[] = []
  readonly #all: { pattern: PathPattern; entries: Entry[] }[] = []

  get size(): number {
    return this.#all.length
  }

  /** Whether it has any deny or ask. */
  get isTight(): boolean {
    return this.#tight.length > 0
  }

  /** A deny or ask that may match an unknown path. */
  mayMean(call: JudgedCall): Entry | undefined {
    return firstSoft(this.#tight, call)
  }

  add(pattern: PathPattern, entry: Entry): void {
    if (entry.rank > ALLOW) this.#tight.push(entry)
    this.#all.push({ pattern, entries: [entry] })
    if (pattern.isAnywhere) return this.#addName(pattern.segments[0]!, entry)
    let folder = this.#root
    for (const [index, segment] of pattern.segments.entries()) {
      const isLast = index === pattern.segments.length - 1
      if (segment === '**' && isLast) return insert(folder.below, entry)
      if (isWild(segment)) {
        folder.wild.push({ test: toPathTest(pattern), entries: [entry] })
        return
      }
      const name = plainName(segment)
      let child = folder.children.get(name)
      if (!child) folder.children.set(name, (child = newFolder()))
      folder = child
    }
    insert(folder.here, entry)
  }

  #addName(name: string, entry: Entry): void {
    if (!isWild(name)) return addTo(this.#names, plainName(name), entry)
    // `*.env`: by the extension, so that many of them cost one look-up for each dot in a name.
    if (/^\*\.[^*?[\\]+$/.test(name)) return addTo(this.#endings, name.slice(1), entry)
    this.#wildNames.push({ test: toSegmentTest(name), entries: [entry] })
  }

  /** An allow needs the path both as written and with its links followed; a deny or ask needs either. */
  find(touched: Findable, call: JudgedCall): Entry | undefined {
    if (this.#all.length === 0) return undefined
    const named = this.#findNamed(touched, call)
    // A text that is content only may mean the path that it spells.
    const found = touched.basis === 'content' ? (named?.soft ?? named) : named
    if (touched.walk === undefined || touched.isGlob || (found && found.rank > ALLOW)) return found
    return this.#findBelow(touched, call) ?? found
  }

  /** A folder that is walked may contain a denied file, so it needs approval. */
  #findBelow({ path, real, walk }: Findable, call: JudgedCall): Entry | undefined {
    const folders = path === real ? [segmentsOf(path)] : [segmentsOf(path), segmentsOf(real)]
    const met = this.#all.flatMap(({ pattern, entries }) =>
      entries[0]!.rank > ALLOW &&
      !(walk === 'named' && pattern.isAnywhere) &&
      folders.some((folder) => mayLieBelow(pattern, folder, walk === 'visible'))
        ? entries
        : [],
    )
    return firstSoft(met, call)
  }

  #findNamed(touched: Findable, call: JudgedCall): Entry | undefined {
    if (touched.isGlob) {
      const { path, real } = touched
      const found = this.#findGlob(path, touched, call)
      return real === path ? found : stricterOf(found, this.#findGlob(real, touched, call))
    }
    const written = this.#findOne(touched.path, call)
    if (touched.real === touched.path) return written
    const real = this.#findOne(touched.real, call)
    if (written !== undefined && real !== undefined) return stricterOf(written, real)
    const either = written ?? real
    return either?.rank === ALLOW ? undefined : either
  }

  #findOne(path: string, call: JudgedCall): Entry | undefined {
    const segments = segmentsOf(path)
    let best: Entry | undefined
    let folder: Folder | undefined = this.#root
    for (let index = 0; ; index++) {
      if (folder) {
        if (folder.here.length > 0) best = pick(best, folder.here, call)
        if (index < segments.length && folder.below.length > 0) best = pick(best, folder.below, call)
        for (const { test, entries } of folder.wild) if (test(segments)) best = pick(best, entries, call)
      }
      if (index === segments.length) return best
      const segment = segments[index]!
      folder = folder?.children.get(segment)
      best = this.#findName(best, segment, call)
    }
  }

  #findName(best: Entry | undefined, segment: string, call: JudgedCall): Entry | undefined {
    let now = pick(best, this.#names.get(segment), call)
    if (this.#endings.size > 0) {
      for (let dot = segment.indexOf('.'); dot !== -1; dot = segment.indexOf('.', dot + 1)) {
        now = pick(now, this.#endings.get(segment.slice(dot)), call)
      }
    }
    for (const { test, entries } of this.#wildNames) if (test(segment)) now = pick(now, entries, call)
    return now
  }

  /** Text that the shell has yet to expand never satisfies an allow; what it could name satisfies a deny. */
  #findGlob(path: string, { seesHidden }: Findable, call: JudgedCall): Entry | undefined {
    const segments = segmentsOf(path)
    let best: Entry | undefined
    for (const { pattern, entries } of this.#all) {
      if (entries[0]!.rank > ALLOW && mayOverlap(pattern, segments, seesHidden))
        best = pick(best, entries, call)
    }
    return best
  }
}
