/** What a page may load from other origins, as a `Content-Security-Policy` writes it. */
export type PageSources = {
  connect?: readonly string[]
  frame?: readonly string[]
  script?: readonly string[]
  img?: readonly string[]
  /** Names of policies that its scripts make. */
  trustedTypes?: readonly string[]
}

export const mergedSources = (all: readonly PageSources[]): Required<PageSources> => ({
  connect: all.flatMap(({ connect = [] }) => connect.map(checked)),
  frame: all.flatMap(({ frame = [] }) => frame.map(checked)),
  script: all.flatMap(({ script = [] }) => script.map(checked)),
  img: all.flatMap(({ img = [] }) => img.map(checked)),
  trustedTypes: all.flatMap(({ trustedTypes = [] }) => trustedTypes.map(checked)),
})

/** Whatever made it, it is one source and ends no directive. */
function checked(source: string): string {
  if (/^[^\s;,]+$/.test(source)) return source
  throw new Error('A source of a page is one word of its policy')
}

/**
 * Images that settings name, each by its own address and nothing beside it. A source of a policy has no query, and none
 * is made of an address that no browser would ask; pictures that are data need none.
 */
export const imageSources = (addresses: readonly (string | null)[]): readonly string[] => [
  ...new Set(addresses.flatMap((address) => imageSource(address) ?? [])),
]

function imageSource(address: string | null): string | undefined {
  if (address === null || !URL.canParse(address)) return undefined
  const { origin, pathname } = new URL(address)
  if (!/^https:\/\/[a-z0-9.-]+(:\d+)?$/.test(origin)) return undefined
  return checked(origin + pathname.replace(/[;,]/g, encodeURIComponent))
}
