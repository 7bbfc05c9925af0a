type Plugin = {
  name: string
  enforce: 'pre'
  transform: (code: string, id: string) => { code: string; map: null } | undefined
}

export declare const withCall: (name: string) => { plugin: Plugin; refuseIfMissing: () => void }
export declare const costOfCall: () => Promise<{ raw: number; gzip: number; brotli: number }>
