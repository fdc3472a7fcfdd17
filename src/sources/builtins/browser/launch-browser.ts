import type { Browser } from 'playwright-core'

const ARGUMENTS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-features=Prerender2,PrerenderFallback',
  // Connections between browsers would not go through the proxy.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  // Each session has a proxy of its own; what belongs to no session reaches nothing.
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
]

/** Starts Chromium without a window. It ends with this process: it talks over pipes that close with it. */
export async function launchBrowser(executable: string): Promise<Browser> {
  const { chromium } = await import('playwright-core')
  // Chromium refuses to run its sandbox as root.
  const isRoot = process.getuid?.() === 0
  return chromium.launch({
    executablePath: executable,
    headless: true,
    // The host ends the set, and the set ends its browser.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    chromiumSandbox: !isRoot,
    args: ARGUMENTS,
  })
}
