import { tailOf, valueOf, type Arg } from '../detection/arg.js'
import type { Call } from '../detection/call.js'
import { hostIn } from '../detection/host-in.js'
import type { Trace } from '../detection/trace.js'
import { applyGrammar, applyUsage } from './apply-usage.js'
import { gitVerbs } from './git-verbs.js'
import { guessProgram } from './guess-program.js'
import { ReadyEffects } from './ready-effects.js'
import type { Act, EffectTable, Usage } from './usage.js'
import { runJoined, changeFolder } from './wrap.js'

export const git: EffectTable = { git: runGit, hub: runGit, yadm: runGit }

// Settings whose value a shell runs.
const RUNS_SETTING =
  /^(?:alias\..*|core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|hookspath)|sequence\.editor|diff\.(?:external|.*\.(?:command|textconv))|merge\..*\.driver|filter\..*|pager\..*|credential(?:\..*)?\.helper|gpg(?:\..*)?\.program|.*\.(?:cmd|path)|uploadpack\.packobjectshook|remote\..*\.(?:uploadpack|receivepack|vcs))$/i

/** Options before the verb: where it runs, and settings that may run something. */
function runGit(call: Call, trace: Trace): void {
  const { args, from } = call
  const before = trace.folders
  let at = from + 1
  for (; at < args.length; at++) {
    const arg = args[at]!
    const value = valueOf(arg)
    if (!value.startsWith('-')) break
    if (value === '-C') changeFolder(args[++at] ?? '', trace)
    else if (value === '-c') readSetting(valueOf(args[++at] ?? ''), call, trace)
    else if (value.startsWith('--config-env')) trace.incomplete('Its settings are known only when it runs.')
    else if (/^--(?:git-dir|work-tree|exec-path|namespace|super-prefix)$/.test(value))
      noteFolder(value, args[++at] ?? '', trace)
    else if (/^--(?:git-dir|work-tree|exec-path)=/.test(value))
      noteFolder(value, tailOf(arg, value.indexOf('=') + 1), trace)
  }
  if (at < args.length) runVerb(valueOf(args[at]!), { args, from: at, index: call.index }, trace)
  trace.folders = before
}

function noteFolder(option: string, folder: Arg, trace: Trace): void {
  if (option.startsWith('--exec-path')) trace.script(folder)
  else trace.read(folder)
}

/** `-c alias.x='!rm a'`, `-c core.pager=cmd` */
function readSetting(setting: string, { index }: Call, trace: Trace): void {
  const equals = setting.indexOf('=')
  const name = equals === -1 ? setting : setting.slice(0, equals)
  if (!RUNS_SETTING.test(name)) return
  trace.changesMeaning = true
  const value = setting.slice(equals + 1)
  if (!name.startsWith('alias.')) return runSetting(value, { index, trace })
  if (value.startsWith('!')) trace.engine.runText(value.slice(1), index, trace)
  else trace.engine.runText(`git ${value}`, index, trace)
}

function runSetting(value: string, { index, trace }: { index: number; trace: Trace }): void {
  if (value !== '') trace.engine.runText(value.replace(/^!/, ''), index, trace)
}

function runVerb(verb: string, call: Call, trace: Trace): void {
  if (trace.mayHaveUrls) noteHosts(verb, call, trace)
  const effect = verbs.get(verb)
  if (typeof effect === 'function') return effect(call, trace)
  const shown = showsContent.get(verb)
  if (shown !== undefined) readContent(call, shown, trace)
  const second = pairedVerbs.has(verb) ? valueOf(call.args[call.from + 1] ?? '') : ''
  const pair = second === '' ? undefined : verbs.get(`${verb} ${second}`)
  if (pair !== undefined && typeof pair !== 'function')
    return applyGrammar(pair, { args: call.args, from: call.from + 1, index: call.index }, trace)
  if (effect !== undefined) applyGrammar(effect, call, trace)
  // An alias, or a program called git-something.
  else guessProgram(`git ${verb}`, call, trace)
}

/** `git@host:path` names a host as much as a URL does. */
function noteHosts(verb: string, { args, from, index }: Call, trace: Trace): void {
  if (!/^(?:clone|fetch|pull|push|ls-remote|remote|submodule|archive)$/.test(verb)) return
  for (const arg of args.slice(from + 1)) {
    const value = valueOf(arg)
    if (/^[\w.-]+@[\w.-]+:/.test(value) && hostIn(value) !== undefined) trace.host(value)
    else if (/^(?:-u|--upload-pack|--receive-pack|--exec)=/.test(value))
      trace.engine.runText(value.slice(value.indexOf('=') + 1), index, trace)
    else if (value.startsWith('ext::')) trace.engine.runText(value.slice('ext::'.length), index, trace)
  }
}

/** Verbs that print the content of files, present or past; for some of them every word may name a file. */
const showsContent = new Map<string, 'words' | 'marked'>([
  ...['diff', 'blame', 'annotate', 'difftool'].map((verb): [string, 'words'] => [verb, 'words']),
  ...['log', 'show', 'grep', 'cat-file', 'archive', 'whatchanged'].map((verb): [string, 'marked'] => [
    verb,
    'marked',
  ]),
])

/** `show HEAD:a`, `log -p -- a`, `blame a` */
function readContent({ args, from }: Call, names: 'words' | 'marked', trace: Trace): void {
  let hasEnded = false
  for (let at = from + 1; at < args.length; at++) {
    const arg = args[at]!
    const value = valueOf(arg)
    if (hasEnded) trace.read(arg)
    else if (value.startsWith('-')) hasEnded = value === '--'
    else if (names === 'words') trace.read(arg)
    else if (trace.mayHaveUrls && value.indexOf(':') > 0) trace.read(tailOf(arg, value.indexOf(':') + 1))
  }
}

const pairedVerbs = new Set(
  [...gitVerbs.keys()].flatMap((verb) => (verb.includes(' ') ? [verb.split(' ')[0]!] : [])),
)

const grepUsage: Usage = { first: ['text'], rest: 'maybe' }

const specialVerbs: Readonly<Record<string, Act>> = {
  clone,
  push,
  checkout,
  rebase: (call, trace) => {
    guessProgram(undefined, call, trace)
    runOption(call, /^(?:-x|--exec)(?:=|$)/, trace)
  },
  bisect: (call, trace) => {
    guessProgram(undefined, call, trace)
    if (valueOf(call.args[call.from + 1] ?? '') === 'run')
      trace.engine.run(call.args, { from: call.from + 2, by: call.index }, trace)
  },
  submodule: (call, trace) => {
    const { args, from, index } = call
    const verb = valueOf(args[from + 1] ?? 'status')
    if (/^(?:status|summary)$/.test(verb)) return
    guessProgram(undefined, call, trace)
    if (verb === 'deinit') trace.destructive('It takes files out of the working tree.')
    if (verb === 'foreach')
      return runJoined(
        args.slice(from + 2).filter((arg) => !valueOf(arg).startsWith('--')),
        index,
        trace,
      )
    if (/^(?:update|add)$/.test(verb)) trace.openWorld('It talks to other machines.')
  },
  config: (call, trace) => {
    const words = call.args.slice(call.from + 1).map(valueOf)
    const isReading = words.some((word) => /^(?:-l|--list|--get.*|get|list|--show-.*)$/.test(word))
    const [name = '', value] = words.filter((word) => !word.startsWith('-'))
    if (
      isReading ||
      (value === undefined && !words.some((word) => /^--(?:unset|remove|rename|add|edit)|^-e$/.test(word)))
    )
      return
    guessProgram(undefined, call, trace)
    if (value !== undefined && RUNS_SETTING.test(name) && value.startsWith('!'))
      trace.engine.runText(value.slice(1), call.index, trace)
  },
  'filter-branch': (call, trace) => {
    trace.destructive('It rewrites history.')
    guessProgram(undefined, call, trace)
    runOption(call, /^--[a-z-]+-filter(?:=|$)/, trace)
  },
  difftool: (call, trace) => {
    guessProgram(undefined, call, trace)
    runOption(call, /^(?:-x|--extcmd)(?:=|$)/, trace)
  },
  grep: (call, trace) => {
    applyUsage(grepUsage, call, trace)
    runOption(call, /^(?:-O|--open-files-in-pager)(?:=|$)/, trace)
  },
}

const verbs = new ReadyEffects([...gitVerbs, ...Object.entries(specialVerbs)])

/** The command in the value of an option: `--exec 'make test'`. */
function runOption({ args, from, index }: Call, option: RegExp, trace: Trace): void {
  for (let at = from + 1; at < args.length; at++) {
    const value = valueOf(args[at]!)
    if (!option.test(value)) continue
    const equals = value.indexOf('=')
    trace.engine.runText(equals === -1 ? valueOf(args[++at] ?? '') : value.slice(equals + 1), index, trace)
  }
}

function clone(call: Call, trace: Trace): void {
  trace.openWorld('It talks to other machines.')
  const takes =
    /^(?:-b|-o|-c|-u|-j|--branch|--depth|--origin|--config|--reference|--filter|--template|--separate-git-dir|--jobs|--upload-pack)$/
  const { args, from } = call
  const words: Arg[] = []
  for (let at = from + 1; at < args.length; at++) {
    const value = valueOf(args[at]!)
    if (value === '-c' || value === '--config') readSetting(valueOf(args[at + 1] ?? ''), call, trace)
    if (takes.test(value)) at++
    else if (!value.startsWith('-')) words.push(args[at]!)
  }
  const [url, folder] = words
  if (url === undefined) return
  if (!/^[\w.-]+@|:\/\//.test(valueOf(url))) trace.read(url)
  const name = valueOf(url)
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  trace.write(folder ?? name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf(':')) + 1))
}

function push(call: Call, trace: Trace): void {
  trace.openWorld('It talks to other machines.')
  const words = call.args.slice(call.from + 1).map(valueOf)
  const isForced = words.some((word) => /^-[a-z]*[fd]|^--(?:force|delete|mirror|prune)|^\+|^:./.test(word))
  if (isForced) trace.destructive('It may remove commits or branches elsewhere.')
}

/** `checkout -- file` discards changes; `checkout branch` keeps them. */
function checkout(call: Call, trace: Trace): void {
  const { args, from } = call
  const words = args.slice(from + 1)
  const dashes = words.findIndex((arg) => valueOf(arg) === '--')
  const plain = words.filter((arg) => !valueOf(arg).startsWith('-'))
  const isForced = words.some((arg) => /^-[a-z]*f|^--(?:force|ours|theirs|pathspec)/.test(valueOf(arg)))
  if (isForced) trace.destructive('It throws changes away.')
  const isNewBranch = words.some((arg) => /^(?:-b|-B|--orphan|-t|--track)$/.test(valueOf(arg)))
  guessProgram(undefined, call, trace)
  if (isNewBranch) return
  const files = dashes === -1 ? plain.slice(plain.length > 1 ? 1 : 0) : words.slice(dashes + 1)
  for (const file of files) {
    const isFile = dashes !== -1 || plain.length > 1 || /^\.|\*/.test(valueOf(file))
    if (isFile) trace.replace(file)
  }
}
