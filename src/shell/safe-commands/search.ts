import type { CommandFamily } from '../command-spec.js'
import { judgeFd } from '../grammars/judge-fd.js'
import { judgeFind } from '../grammars/judge-find.js'
import { isHarmlessBinding } from '../grammars/is-harmless-binding.js'

/** Commands that search for files or for text in them. */
export const search: CommandFamily = {
  'find gfind': { judge: judgeFind },
  'fd fdfind': { judge: judgeFd },
  rg: {
    // Not --pre and --hostname-bin, which run a program, and -z, which starts programs to uncompress.
    options: `-A= -B= -C= -E= -M= -T= -d= -e= -f= -g= -j= -m= -r= -t= -. -0 -F -H -I -L -N -P -S -U -V -a -b -c -h
      -i -l -n -o -p -q -s -u -v -w -x --after-context= --before-context= --context= --encoding= --max-columns=
      --type-not= --max-depth= --maxdepth= --regexp= --file= --glob= --iglob= --threads= --max-count= --replace=
      --type= --hidden --null --fixed-strings --with-filename --no-filename --follow --no-line-number --pcre2
      --smart-case --multiline --text --byte-offset --count --ignore-case --files-with-matches --line-number
      --only-matching --pretty --quiet --case-sensitive --unrestricted --invert-match --word-regexp --line-regexp
      --auto-hybrid-regex --block-buffered --color= --colors= --column --context-separator= --count-matches --crlf
      --debug --dfa-size-limit= --engine= --field-context-separator= --field-match-separator= --files
      --files-without-match --glob-case-insensitive --heading --help --hyperlink-format= --ignore-file=
      --ignore-file-case-insensitive --include-zero --json --line-buffered --max-columns-preview --max-filesize=
      --mmap --multiline-dotall --no-binary --binary --no-config --no-context-separator --no-encoding --no-heading
      --no-hidden --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global
      --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-messages --no-mmap --no-pcre2-unicode
      --no-require-git --no-unicode --null-data --one-file-system --passthru --path-separator= --pcre2-version
      --regex-size-limit= --sort= --sortr= --stats --stop-on-nonmatch --trace --trim --type-add= --type-clear=
      --type-list --vimgrep --no-ignore-case --no-trim --no-json --no-stats --no-column --no-crlf`,
  },
  ag: {
    options: `-A= -B= -C= -c -D -f -F -g= -G= -H -h -i -l -L -m= -n -o -p= -Q -r -s -S -t -u -U -v -w -W= -0
      --ackmate --after? --before? --context? --count --color --nocolor --column --depth= --filename --nofilename
      --files-with-matches --files-without-matches --fixed-strings --follow --group --nogroup --hidden --ignore=
      --ignore-case --ignore-dir= --literal --max-count= --numbers --nonumbers --only-matching --path-to-ignore=
      --print-long-lines --silent --smart-case --stats --unrestricted --vimgrep --word-regexp --width=`,
  },
  fzf: {
    // Not --preview, --history, --listen-unsafe and the like: they run commands, write files or open ports.
    options: `-h -x -e -i -n= -d= -m? -q= -1 -0 -f= --extended --no-extended --exact --no-exact --ignore-case
      --no-ignore-case --smart-case --literal --no-literal --scheme= --algo= --nth= --with-nth= --accept-nth=
      --delimiter= --tail= --disabled --no-sort --sort --tiebreak= --multi? --no-multi --no-mouse --bind= --cycle
      --no-cycle --wrap --wrap-sign= --no-multi-line --raw --track --tac --gap? --gap-line? --keep-right
      --scroll-off= --no-hscroll --hscroll-off= --jump-labels= --gutter= --height= --min-height= --layout= --reverse
      --border? --border-label= --border-label-pos= --margin= --padding= --info= --no-info --separator=
      --no-separator --scrollbar? --no-scrollbar --prompt= --pointer= --marker= --marker-multi-line= --header=
      --header-lines= --header-first --header-border? --header-label= --header-label-pos= --footer= --footer-border?
      --footer-label= --ellipsis= --ansi --tabstop= --color= --no-color --no-bold --black --highlight-line
      --no-highlight-line --style= --ghost= --filepath-word --input-border? --input-label= --list-border?
      --list-label= --no-input --query= --select-1 --exit-0 --filter= --print-query --expect= --read0 --print0
      --sync --no-sync --no-clear --walker= --walker-root= --walker-skip= --preview-window= --preview-label=
      --preview-label-pos= --preview-border? --no-unicode --ambidouble --bash --zsh --fish --version`,
    values: { '--bind': isHarmlessBinding },
    operand: (value) => /^\+[a-z0-9]$/.test(value),
  },
}
