/**
 * `open.html` is the page for a call that waits: it asks at once for all that a login needs, so that opening is two
 * round trips, the page and everything else. A script that imports another would make each import one more.
 *
 * What a way to log in needs on LANDING stands between `<!--if smsAuth-->` and `<!--end-->`: the server leaves it in
 * for an app that has one of the settings, and in `telegramAuth while at most 4 of …` so few others that it stands there.
 */
import type { Plugin, Rolldown } from 'vite'

type Bundle = Readonly<Record<string, Rolldown.OutputChunk | Rolldown.OutputAsset>>

/** What is in `lazy/` is asked for by what uses it. */
const isAskedForLater = (moduleId: string) => /\/capabilities\/.+\/lazy\//.test(moduleId)

/** The dialog, what draws it, LANDING and the code screen. */
const isNeeded = (moduleId: string) =>
  /\/dialog-app\/(?:start\/lazy\/|shell\/(?!lazy\/)|capabilities\/(?:landing|email|codes)\/)/.test(
    moduleId,
  ) && !isAskedForLater(moduleId)

/** The settings of an app by which it has a way to log in, for each folder of those that not every app has. */
export const settingsOf: Readonly<Record<string, readonly string[]>> = {
  sms: ['smsAuth'],
  siwe: ['walletAuth'],
  farcaster: ['farcasterAuth'],
  passkey: ['passkeyAuth'],
  telegram: ['telegramAuth'],
  oauth: [
    'appleOauth',
    'discordOauth',
    'githubOauth',
    'googleOauth',
    'linkedinOauth',
    'spotifyOauth',
    'instagramOauth',
    'twitterOauth',
    'tiktokOauth',
  ],
}
const inGroups = Object.entries(settingsOf).filter(([folder]) => folder !== 'siwe' && folder !== 'passkey')
/** `screenLimits.web2EntriesMax`, which a configuration of the build does not reach. */
export const entriesMax = 4
/** Beside so many others these stand behind a button, whose view they come for. */
const whileFew = `while at most ${entriesMax} of emailAuth ${inGroups.flatMap(([, settings]) => settings).join(' ')}`
/** When LANDING draws a way to log in; of most, whenever the app has it on. */
const conditionOf: Readonly<Record<string, string>> = {
  // Else wallets are behind a button.
  siwe: 'showWalletLoginFirst',
  farcaster: `farcasterAuth ${whileFew}`,
  telegram: `telegramAuth ${whileFew}`,
}
/** When LANDING draws something by this source: always, where it is how LANDING draws more than the e-mail field. */
function conditionsFor(moduleId: string): readonly string[] {
  if (isHowTheyStand(moduleId)) return [Object.values(settingsOf).flat().join(' ')]
  const folder = /\/capabilities\/([^/]+)\//.exec(moduleId)?.[1]
  if (folder === undefined || isAskedForLater(moduleId) || !Object.hasOwn(settingsOf, folder)) return []
  return [conditionOf[folder] ?? (settingsOf[folder] ?? []).join(' ')]
}
const isHowTheyStand = (moduleId: string) => moduleId.includes('/capabilities/landing/lazy/options/')

export const openPage = (): Plugin => ({
  name: 'open-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { path, bundle }) =>
      path === '/open.html' && bundle ? html.replace('</head>', `${linksFor(html, bundle)}</head>`) : html,
  },
})

/** Style sheets come beside the scripts; Vite's own loading would wait for them first. */
export function linksFor(html: string, bundle: Bundle): string {
  const always = withImports(bundle, chunksWith(bundle, isNeeded))
  const wanted = new Map<string, Set<string>>()
  for (const chunk of chunksWith(bundle, (moduleId) => conditionsFor(moduleId).length > 0)) {
    const conditions = chunk.moduleIds.flatMap(conditionsFor)
    for (const file of filesOf(withImports(bundle, [chunk]))) {
      wanted.set(file, new Set([...(wanted.get(file) ?? []), ...conditions]))
    }
  }
  const named = filesOf(always)
  const isNew = (file: string) => !html.includes(file)
  return [
    ...named.filter(isNew).map(linkTo),
    ...[...wanted]
      .filter(([file]) => isNew(file) && !named.includes(file))
      .map(([file, conditions]) => `<!--if ${[...conditions].join(' | ')}-->${linkTo(file)}<!--end-->`),
  ].join('\n')
}

const chunksWith = (bundle: Bundle, has: (moduleId: string) => boolean) =>
  Object.values(bundle).filter(
    (file): file is Rolldown.OutputChunk => file.type === 'chunk' && file.moduleIds.some(has),
  )

function filesOf(chunks: readonly Rolldown.OutputChunk[]): readonly string[] {
  const styles = chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
  return [...chunks.map(({ fileName }) => fileName), ...new Set(styles)]
}

const linkTo = (file: string) =>
  `<link rel="${file.endsWith('.css') ? 'stylesheet' : 'modulepreload'}" crossorigin href="/${file}">`

function withImports(
  bundle: Bundle,
  chunks: readonly Rolldown.OutputChunk[],
): readonly Rolldown.OutputChunk[] {
  const found = new Map<string, Rolldown.OutputChunk>()
  const visit = (fileName: string) => {
    const file = bundle[fileName]
    if (file?.type !== 'chunk' || found.has(fileName)) return
    found.set(fileName, file)
    file.imports.forEach(visit)
  }
  for (const { fileName } of chunks) visit(fileName)
  return [...found.values()]
}
