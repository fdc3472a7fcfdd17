import type { CommandFamily } from '../../command-spec.js'

const operands = 0

/** Commands of macOS that print facts about the machine. */
export const macos: CommandFamily = {
  'sw_vers system_profiler mdfind vm_stat ioreg': { isFree: true },
  // -plist writes.
  mdls: { style: 'words', options: '-name= -raw -nullMarker=' },
  networksetup: {
    verbs: {
      '-version -help -printcommands -listallnetworkservices -listnetworkserviceorder -listallhardwareports':
        {},
      '-listlocations -listVLANs -listdevicesthatsupportVLAN -listBonds -listpppoeservices -listvalidmedia':
        {},
      '-listvalidMTUrange -listpreferredwirelessnetworks -isBondSupported -showBondStatus -showpppoestatus':
        {},
      '-getinfo -getadditionalroutes -getv6additionalroutes -getdnsservers -getsearchdomains -getftpproxy':
        {},
      '-getwebproxy -getsecurewebproxy -getstreamingproxy -getgopherproxy -getsocksfirewallproxy': {},
      '-getproxybypassdomains -getproxyautodiscovery -getautoproxyurl -getpassiveftp -getairportnetwork': {},
      '-getairportpower -getcomputername -getcurrentlocation -getnetworkserviceenabled -getmacaddress': {},
      '-getMTU -getmedia': {},
    },
  },
  tmutil: {
    verbs: {
      'help version destinationinfo isexcluded latestbackup listbackups machinedirectory status': {
        options: '-X -p -t -m -d',
      },
      'calculatedrift uniquesize compare listlocalsnapshots listlocalsnapshotdates': { options: '-X' },
    },
  },
  defaults: {
    options: '-currentHost -host=',
    style: 'words',
    isBare: true,
    verbs: { 'read read-type find help': {}, domains: { operands } },
  },
  launchctl: {
    verbs: {
      'list print print-cache print-disabled plist procinfo hostinfo blame dumpstate dumpjpcategory': {},
      'managerpid manageruid managername error version help variant': {},
    },
  },
  pkgutil: {
    style: 'words',
    needs: `-pkgs -pkgs-plist -packages -groups -groups-plist -group-pkgs -files -file-info -file-info-plist
      -pkg-info -pkg-info-plist -check-signature -payload-files -lsbom -pkg-groups`,
    options: `-pkgs? -pkgs-plist -packages -groups -groups-plist -group-pkgs= -files= -file-info= -file-info-plist=
      -pkg-info= -pkg-info-plist= -check-signature= -payload-files= -lsbom= -pkg-groups= -volume= -regexp
      -only-files -only-dirs -v -verbose`,
  },
  plutil: { style: 'words', options: '-lint -p -s -help' },
  diskutil: {
    verbs: {
      'list info activity listFilesystems': { style: 'words', options: '-plist -all' },
      apfs: { verbs: { 'list listUsers listSnapshots': {} } },
    },
  },
  hdiutil: {
    verbs: {
      'imageinfo verify info checksum pmap help plugins isencrypted': {
        style: 'words',
        options: '-plist -verbose -quiet -debug -type= -format -checksum',
        // An image may be a URL.
        operand: (value) => !value.includes('://'),
      },
    },
  },
  dscl: {
    verbs: {
      '. localhost /Search /Local/Default': {
        verbs: { '-read read -list list -search search -readall readall': {} },
      },
    },
  },
  spctl: {
    verbs: {
      '--assess -a': {
        options: '-v -t= --type --verbose? --raw --continue --context= --ignore-cache --no-cache',
      },
      '--status --disable-status --list': { options: '--type= --label= --path=' },
    },
  },
  codesign: {
    verbs: {
      '-d -dv -dvv -dvvv --display': { options: '-v --verbose? -a= --architecture=' },
      '-v -vv -vvv --verify': {
        options: '-v --verbose? --deep --strict? -R= -a= --architecture= --ignore-resources',
      },
      '--validate-constraint': {},
    },
  },
  // Not -g and -w, which print the password.
  security: {
    verbs: {
      'find-identity find-certificate find-key dump-trust-settings show-keychain-info error help': {
        options: '-a -c= -e= -m -p -v -d -s= -Z -t= -l= -r= -u -k= -q -L',
      },
      // It checks on the network whether the certificate was revoked.
      'verify-cert': { isOpenWorld: true, options: '-c= -r= -p= -k= -d= -s= -e= -l -L -n -N -q -v' },
      'find-generic-password find-internet-password': {
        options: '-a= -c= -C= -D= -G= -j= -l= -s= -r= -t= -p= -d=',
      },
    },
  },
  scutil: { verbs: { '--get --dns --proxy --nwi -r': {} } },
  sips: { verbs: { '-g --getProperty': { operands: 20 } } },
  lipo: {
    style: 'words',
    needs: '-archs -info -detailed_info -verify_arch',
    options: '-archs -info -detailed_info -verify_arch',
  },
  textutil: { verbs: { '-info': {} } },
  xattr: { verbs: { '-l -lx -p -px -lr -lrx -h --help': { options: '-r -s -x -v -l' } }, isBare: true },
  mdutil: { verbs: { '-s': { options: '-a' } } },
  symbols: {
    style: 'words',
    options: '-help -lookup= -arch= -noSources -noDemangling -uuid -fullSourcePath',
  },
}
