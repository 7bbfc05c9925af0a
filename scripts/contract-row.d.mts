type Row = { name: string; answer: string }
type Plugin = {
  name: string
  enforce: 'pre'
  transform: (code: string, id: string) => { code: string; map: null } | undefined
}

export declare const withRow: (row: Row) => { plugin: Plugin; refuseIfMissing: () => void }
export declare const costOfRow: () => Promise<{ raw: number; gzip: number; brotli: number }>
