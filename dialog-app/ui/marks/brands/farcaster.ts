import type { MarkDrawing } from '../mark.tsx'

export const farcaster: MarkDrawing = [
  { fill: '#8465cb', path: 'M5 2h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3Z' },
  {
    fill: '#fff',
    path: 'M4.6 5.2h10.8l-.5 1.7h-.6V14h.5v1h-3.5v-1h.5v-3.1a1.8 1.8 0 0 0-3.6 0V14h.5v1H5.2v-1h.5V6.9h-.6Z',
  },
]
