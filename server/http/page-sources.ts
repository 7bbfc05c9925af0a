/** What a page may load from other origins, as a `Content-Security-Policy` writes it. */
export type PageSources = {
  readonly connect?: readonly string[]
  readonly frame?: readonly string[]
  readonly script?: readonly string[]
  readonly img?: readonly string[]
}

export const mergedSources = (all: readonly PageSources[]): Required<PageSources> => ({
  connect: all.flatMap(({ connect = [] }) => connect),
  frame: all.flatMap(({ frame = [] }) => frame),
  script: all.flatMap(({ script = [] }) => script),
  img: all.flatMap(({ img = [] }) => img),
})
