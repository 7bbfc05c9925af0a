// Finds traces of a developer's machine: package registries and home folders.

const traces = [
  {
    what: 'the address of a registry',
    form: /https?:\/\/[\w.:@-]*(?:registry|artifactory|nexus|verdaccio)[\w.:-]*/gi,
  },
  {
    what: 'a folder of one machine',
    form: /(?<![\w.~)\]}-])(?:\/(?:home|Users|root|tmp|work|mnt|private|var\/folders)|[A-Z]:\\+Users)[/\\]+[\w.-]+/g,
  },
]

/** Returns each trace in a text with its line number. */
export const tracesIn = (text: string) =>
  text
    .split('\n')
    .flatMap((line, index) =>
      traces.flatMap(({ what, form }) =>
        [...line.matchAll(form)].map(([found]) => ({ line: index + 1, what, found })),
      ),
    )
