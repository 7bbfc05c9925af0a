import type { MarkDrawing } from '../mark.tsx'

export const google: MarkDrawing = [
  { stroke: '#ea4335', width: 3.2, path: 'M14.6 5.4A6.5 6.5 0 0 0 4.37 6.75' },
  { stroke: '#fbbc05', width: 3.2, path: 'M4.37 6.75a6.5 6.5 0 0 0 0 6.5' },
  { stroke: '#34a853', width: 3.2, path: 'M4.37 13.25A6.5 6.5 0 0 0 14.6 14.6' },
  { stroke: '#4285f4', width: 3.2, path: 'M14.6 14.6A6.5 6.5 0 0 0 16.5 10H10' },
]
