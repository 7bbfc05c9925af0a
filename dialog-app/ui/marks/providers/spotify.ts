import type { MarkDrawing } from '../mark.tsx'

export const spotify: MarkDrawing = [
  { fill: '#1ed760', path: 'M1.5 10a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0' },
  { stroke: '#121212', width: 1.6, path: 'M5.2 7.5c3.2-.9 6.8-.6 9.7 1.1' },
  { stroke: '#121212', width: 1.4, path: 'M5.6 10.3c2.7-.7 5.7-.4 8.2 1' },
  { stroke: '#121212', width: 1.2, path: 'M6 12.9c2.2-.5 4.6-.3 6.6.9' },
]
