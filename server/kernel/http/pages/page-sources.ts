/** Origins that a page may load from, as sources of its content security policy. */
export type PageSources = {
  connect?: readonly string[]
  frame?: readonly string[]
  script?: readonly string[]
  img?: readonly string[]
  /** Names of the Trusted Types policies of its scripts. */
  trustedTypes?: readonly string[]
}

export const mergeSources = (all: readonly PageSources[]): Required<PageSources> => ({
  connect: all.flatMap(({ connect = [] }) => connect.map(assertSource)),
  frame: all.flatMap(({ frame = [] }) => frame.map(assertSource)),
  script: all.flatMap(({ script = [] }) => script.map(assertSource)),
  img: all.flatMap(({ img = [] }) => img.map(assertSource)),
  trustedTypes: all.flatMap(({ trustedTypes = [] }) => trustedTypes.map(assertSource)),
})

/** Ensures that the value is a single source and cannot end the directive. */
function assertSource(source: string): string {
  if (/^[^\s;,]+$/.test(source)) return source
  throw new Error('A CSP source must be a single word')
}

/**
 * Returns CSP sources for images in settings, each restricted to its exact URL. CSP sources have no query. URLs that no
 * browser would load are skipped, and data URLs need no source.
 */
export const imageSources = (addresses: readonly (string | null)[]): readonly string[] => [
  ...new Set(addresses.flatMap((address) => imageSource(address) ?? [])),
]

function imageSource(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined
  const { origin, pathname } = new URL(address)
  if (!/^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin)) return undefined
  return assertSource(origin + pathname.replace(/[;,]/g, encodeURIComponent))
}
