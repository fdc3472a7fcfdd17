import type { GitSetting } from './parse-git-config.js'

/**
 * What a git command reads: the recorded history (`history`), also the files of the working tree with its submodules
 * (`files`), or another repository (`remote`).
 */
export type GitUse = 'history' | 'files' | 'remote'

type Test = (value: string) => boolean

const any: Test = () => true
const isFalse: Test = (value) => /^(?:false|no|off|0|)$/i.test(value)
const isBoolean: Test = (value) => /^(?:true|yes|on|1|false|no|off|0|)$/i.test(value)
const isWord: Test = (value) => /^[\w][\w./-]*$/.test(value) && !value.includes('..')
// A format pattern with a signature runs the program that checks signatures.
const isPlainOrder: Test = (value) => !/signature|%/i.test(value)
const isUpdate: Test = (value) => /^(?:checkout|rebase|merge|none)$/.test(value)
const isRemoteName: Test = (value) => value === '.' || isWord(value) || isPlainUrl(value)

/**
 * Settings whose every value, or every value that passes the test, makes git run no program, write no file, fetch
 * nothing and read no settings from elsewhere. Names in lower case.
 */
const plain = new Map<string, Test>([
  ...all(
    `core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase
      core.precomposeunicode core.symlinks core.autocrlf core.eol core.safecrlf core.abbrev core.quotepath
      core.compression core.loosecompression core.bigfilethreshold core.longpaths core.protecthfs core.protectntfs
      core.trustctime core.checkstat core.untrackedcache core.preloadindex core.commentchar core.whitespace
      core.sharedrepository core.multipackindex core.commitgraph core.sparsecheckout core.sparsecheckoutcone
      core.hidedotfiles core.fscache core.fsyncobjectfiles core.fsync core.deltabasecachelimit
      core.packedgitwindowsize core.packedgitlimit core.createobject core.checkroundtripencoding
      user.name user.email user.signingkey user.useconfigonly author.name author.email committer.name
      committer.email init.defaultbranch pull.rebase pull.ff pull.octopus pull.twohead push.default
      push.autosetupremote push.followtags fetch.prune fetch.prunetags fetch.parallel fetch.writecommitgraph
      merge.ff merge.conflictstyle merge.renames merge.stat merge.log rebase.autostash rebase.autosquash
      rebase.updaterefs rerere.enabled rerere.autoupdate commit.gpgsign commit.verbose tag.gpgsign
      tag.forcesignannotated gpg.format gc.auto gc.autodetach gc.autopacklimit maintenance.auto
      maintenance.strategy branch.autosetupmerge branch.autosetuprebase status.short status.branch status.showstash
      status.showuntrackedfiles status.renames status.renamelimit status.aheadbehind status.relativepaths
      status.displaycommentprefix diff.renames diff.renamelimit diff.algorithm diff.mnemonicprefix diff.noprefix
      diff.context diff.interhunkcontext diff.colormoved diff.colormovedws diff.indentheuristic diff.autorefreshindex
      diff.statgraphwidth diff.wserrorhighlight diff.suppressblankempty diff.wordregex log.date log.decorate
      log.abbrevcommit log.follow log.showroot log.graphcolors i18n.commitencoding i18n.logoutputencoding
      grep.linenumber grep.column grep.patterntype grep.extendedregexp grep.fullname grep.threads column.ui
      column.branch column.tag column.status feature.manyfiles index.version index.threads index.skiphash
      pack.threads pack.windowmemory pack.depth pack.window extensions.objectformat extensions.refstorage
      extensions.worktreeconfig extensions.relativeworktrees extensions.preciousobjects extensions.noop
      lfs.repositoryformatversion gui.wmstate gui.geometry`,
    any,
  ),
  ...all('core.fsmonitor log.showsignature submodule.recurse index.sparse core.splitindex', isFalse),
  ...all('branch.sort tag.sort', isPlainOrder),
  ...all('remote.pushdefault checkout.defaultremote', isRemoteName),
])

/** Sections of which every name is harmless. */
const wholeSections = new Set(['color', 'advice'])

/** The same for settings in a subsection, whose name is free. */
const named = new Map<string, Test>([
  ...all(
    `remote.fetch remote.push remote.tagopt remote.prune remote.prunetags remote.mirror remote.skipdefaultupdate
      remote.skipfetchall remote.gh-resolved remote.glab-resolved branch.merge branch.rebase branch.description
      submodule.active submodule.branch submodule.ignore submodule.shallow submodule.fetchrecursesubmodules`,
    any,
  ),
  ...all('remote.url remote.pushurl submodule.url', isPlainUrl),
  ...all('branch.remote branch.pushremote', isRemoteName),
  ...all('submodule.update', isUpdate),
])

/** Whether this setting makes git do nothing beyond what it would do anyway, for a command of this use. */
export function isHarmlessSetting(setting: GitSetting, use: GitUse): boolean {
  const { section, subsection, name } = setting
  // A name without a value is true.
  const value = setting.value ?? 'true'
  if (section === 'pager') return isBoolean(value)
  if (wholeSections.has(section)) return true
  // Connection settings matter only to commands that connect; checkouts of build servers have a header here.
  if (section === 'http' && use !== 'remote') return true
  const key = `${section}.${name}`
  const test = subsection === undefined ? plain.get(key) : named.get(key)
  if (test !== undefined) {
    if (!test(value)) return false
    return use !== 'remote' || !/^remote\.(?:push)?url$/.test(key) || isUrlOfHost(value)
  }
  // Editors and forges store notes on a branch.
  return section === 'branch' && subsection !== undefined && /^(?:vscode|github|gk|gitkraken|jb)-/.test(name)
}

/** A setting as written on a command line: `core.quotepath=off`. */
export function parseSettingText(text: string): GitSetting | undefined {
  const equals = text.indexOf('=')
  const key = equals === -1 ? text : text.slice(0, equals)
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')]
  const [section, name] = [key.slice(0, first).toLowerCase(), key.slice(last + 1).toLowerCase()]
  if (first < 1 || !/^[a-z0-9-]+$/.test(section) || !/^[a-z][a-z0-9-]*$/.test(name)) return undefined
  return {
    section,
    subsection: first === last ? undefined : key.slice(first + 1, last),
    name,
    value: equals === -1 ? undefined : text.slice(equals + 1),
  }
}

/** An address that git reaches by itself or by ssh, or a path. `name::address` would start a program of that name. */
function isPlainUrl(value: string): boolean {
  if (value.startsWith('-') || value.includes('::')) return false
  if (isUrlOfHost(value) || value.startsWith('file://')) return true
  return !value.includes(':') && value !== ''
}

function isUrlOfHost(value: string): boolean {
  if (/^(?:https?|ssh|git):\/\/[\w.@[]/.test(value)) return true
  return /^(?:[\w.-]+@)?[\w][\w.-]*:(?!:)/.test(value) && !/^[\w+.-]+:\/\//.test(value)
}

function all(names: string, test: Test): [string, Test][] {
  return names.split(/\s+/).map((name) => [name, test])
}
