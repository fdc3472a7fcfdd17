import { accountGit } from './account-git.js'
import type { Account, AccountTable } from './account.js'

const FILES_OF_NAMES = '--files0-from --files-from'

/** Shell builtins. Text that they evaluate is walked elsewhere. */
const shell: AccountTable = {
  'echo printf true false : pwd exit return break continue shift wait sleep umask ulimit times jobs': {
    isText: true,
    isAlways: true,
  },
  'test [ cd pushd read export declare typeset local readonly unset set': { isAlways: true },
  'mapfile readarray': { isAlways: true, except: '-C' },
  'type which whereis command hash': { isText: true },
  'bash sh dash env time nice nohup timeout xargs': {},
}

/** They print their arguments, or facts about them, and touch no other file. */
const readers: AccountTable = {
  'cat tac head tail nl cut paste join comm fold expand unexpand rev tr od hexdump hd strings column colrm fmt pr look cmp diff uniq shuf tsort sum xxd base64 base32 basenc iconv zcat':
    {},
  'ls dir vdir stat readlink realpath basename dirname pathchk namei df tree': {},
  'seq expr factor numfmt yes cal ncal uuidgen tput clear': { isText: true },
  'wc sort du': { except: FILES_OF_NAMES },
  file: { except: `${FILES_OF_NAMES} -f` },
  'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum cksum md5': { except: '-c --check' },
  'grep egrep fgrep': { pattern: '-e -f --regexp --file', flags: 'abcEFGhHiIlLnoPqrRsTuUvVwxyZz0123456789' },
  rg: {
    pattern: '-e -f --regexp --file --files --type-list',
    flags: 'abcFhHiIlLnNopPqsSuUvVwx.0',
  },
  // Its `-p` names a file.
  ag: { pattern: '-g -G', flags: 'acfilLoQsSuUvwz' },
  sed: {
    flags: 'nErsuz',
    pattern: '-e -f --expression --file',
    isProgram: true,
    except: '-f --file',
  },
  'awk gawk mawk nawk': {
    pattern: '-f --file -e --source -E --exec -i --include',
    isProgram: true,
    except: '-f --file -E --exec -i --include -l --load',
    // File names that a program composes are in none of its words.
    unless: /getline|ARG[VC]|@\s*(?:include|load)/,
  },
  jq: {
    flags: 'cnrRsSjaeMC',
    pattern: '-f --from-file',
    isProgram: true,
    except: '-f --from-file -L',
    unless: /import|include/,
  },
  yq: {
    flags: 'cnrMCPe',
    pattern: '--from-file',
    isProgram: true,
    except: '--from-file',
    unless: /load/,
  },
  find: { isText: true, except: '-files0-from' },
  'fd fdfind': { isText: true },
  'fzf sk': { isText: true, except: '--preview' },
  'tar unzip zipinfo gzip gunzip bzip2 xz zstd 7z 7za 7zz': {
    except: `${FILES_OF_NAMES} -T -I --use-compress-program --to-command`,
    unless: /@/,
  },
}

/** They print facts about the machine and its users. */
const system: AccountTable = {
  'whoami id groups logname uname hostname hostid arch nproc uptime free tty users who w last lastlog ps pgrep pidof pstree lsof vmstat iostat mpstat lscpu lsblk lsusb lspci lsmod locale getconf printenv sw_vers':
    {},
  'date sysctl journalctl dmesg': {},
  getent: { own: ['/etc/*'] },
  'ip ifconfig netstat ss ping ping6 traceroute tracepath host nslookup whois arp route': {},
  dig: { hasPlainAt: true },
  openssl: { except: '-config' },
  curl: { except: '-K --config -n --netrc --netrc-optional --netrc-file --proto-default --variable' },
  wget: { except: '-e --execute --config -i --input-file' },
}

/** They ask a service, and have settings of their own. */
const clients: AccountTable = {
  docker: {
    takes: '-H --host -c --context -l --log-level --config',
    verbs: verbsOf(
      'ps images inspect logs version info stats top port history diff events search ls container image volume network system context',
    ),
  },
  uv: { own: ['pyproject.toml', 'uv.lock', 'uv.toml', '~/.config/uv/**'], except: '-r --requirement' },
  podman: { verbs: verbsOf('ps images inspect logs version info stats top port history diff events search') },
  kubectl: {
    verbs: {
      ...verbsOf(
        'get describe logs top explain version api-resources api-versions cluster-info auth events rollout',
      ),
      config: ['~/.kube/**'],
    },
    takes: '-n --namespace --context --cluster --user --kubeconfig -s --server --request-timeout',
    except: '-k --kustomize',
  },
  helm: {
    takes: '-n --namespace --kube-context --kubeconfig',
    verbs: verbsOf('list ls status history get search repo version env help completion plugin'),
  },
  aws: { own: ['~/.aws/**'] },
  az: { own: ['~/.azure/**'] },
  gcloud: { own: ['~/.config/gcloud/**'] },
  gh: { own: ['~/.config/gh/**'], hasPlainAt: true },
  'brew auth0': {},
  npm: { own: ['package.json', 'package-lock.json', '.npmrc', '~/.npmrc'] },
  'pip pip3': {
    own: ['~/.config/pip/**', '~/.pip/**', '~/.pypirc'],
    except: '-r --requirement -c --constraint',
  },
  cargo: { own: ['Cargo.toml', 'Cargo.lock', '.cargo/**', '~/.cargo/**'] },
  'networksetup tmutil spctl pkgutil codesign diskutil hdiutil lipo symbols xattr scutil sips dscl mdls plutil':
    {},
  launchctl: { own: ['~/Library/LaunchAgents/**'] },
  defaults: { own: ['~/Library/**'] },
  security: { own: ['~/Library/Keychains/**'] },
  // The commands that they run are judged separately.
  'caffeinate arch': {},
  git: { judge: accountGit },
}

/** They change their arguments and nothing else. Without a proof: with these options only. */
const writers: AccountTable = {
  cp: {
    isCopying: true,
    options:
      '-a -b -d -f -i -H -L -l -n -P -p -R -r -s -S= -t= -T -u -v -x --archive --backup --force --interactive --link --no-clobber --no-dereference --dereference --parents --preserve --recursive --symbolic-link --suffix= --target-directory= --no-target-directory --update --verbose --one-file-system',
  },
  mv: {
    isCopying: true,
    options:
      '-b -f -i -n -S= -t= -T -u -v --backup --force --interactive --no-clobber --suffix= --target-directory= --no-target-directory --update --verbose',
  },
  ln: {
    isCopying: true,
    options:
      '-b -f -i -L -n -P -r -s -S= -t= -T -v --backup --force --interactive --logical --no-dereference --physical --relative --symbolic --suffix= --target-directory= --no-target-directory --verbose',
  },
  rm: { options: '-f -i -I -r -R -d -v --force --interactive --recursive --dir --verbose --one-file-system' },
  rmdir: { options: '-p -v --ignore-fail-on-non-empty --parents --verbose' },
  mkdir: { options: '-m= -p -v --mode= --parents --verbose' },
  touch: { options: '-a -c -d= -h -m -r= -t= --no-create --date= --no-dereference --reference= --time=' },
  'chmod chown chgrp': {
    options: '-c -f -v -R -h -H -L -P --changes --silent --quiet --verbose --recursive --reference= --from=',
  },
  tee: { options: '-a -i -p --append --ignore-interrupts' },
  truncate: { options: '-c -o -r= -s= --no-create --io-blocks --reference= --size=' },
  'unlink link': { options: '' },
}

function verbsOf(names: string): Record<string, readonly string[]> {
  return Object.fromEntries(names.split(' ').map((name) => [name, []]))
}

const programs = new Map<string, Account>(
  [shell, readers, system, clients, writers].flatMap((table) =>
    Object.entries(table).flatMap(([names, account]) =>
      names.split(' ').map((name): [string, Account] => [name, account]),
    ),
  ),
)

/**
 * Facts about programs from their manuals: they touch only files that their words name. A program that is absent here
 * may read and write anything.
 */
export function accountOf(program: string): Account | undefined {
  return programs.get(program)
}
