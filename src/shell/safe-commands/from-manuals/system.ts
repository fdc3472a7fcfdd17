import type { CommandFamily } from '../../command-spec.js'

/** Commands about files and the machine without a free Debian package. */
export const systemFromManuals: CommandFamily = {
  md5: { options: '-c= -p -q -r -s= -t -x' },
  otool: { options: '-a -f -h -l -L -D -t -d -o -r -S -T -M -R -I -H -G -C -P -v -V -X -x -q -j' },
  'nvidia-smi': {
    options: '-h -L -q -d= -i= --query-gpu= --query-compute-apps= --format= --list-gpus --query -l= --loop=',
  },
}
