/*
 * How long files and functions are. A function counts from its first line to its last, be it declared, a method or an
 * arrow; those with a body in braces are measured, and beside them all, with arrows that are one expression.
 */
import {
  programFolder,
  readSourceFiles,
  type SourceFunction,
} from '../support/bridge/source-files.ts'

export interface Size {
  readonly count: number
  readonly median: number
  /** Nine of ten are no longer. */
  readonly most: number
  readonly longest: number
}

export type Measure = 'files' | 'functions' | 'functions with expressions'

if (import.meta.main) console.table(measureSize(process.argv[2]))

/** Of every TypeScript file below that folder. */
export function measureSize(folder: string = programFolder): Readonly<Record<Measure, Size>> {
  const files = readSourceFiles(folder)
  const functions = files.flatMap((file) => file.functions)
  return {
    files: sizeOf(files),
    functions: sizeOf(functions.filter(({ isBlock }) => isBlock)),
    'functions with expressions': sizeOf(functions),
  }
}

function sizeOf(things: readonly Pick<SourceFunction, 'lines'>[]): Size {
  const lines = things.map((it) => it.lines).toSorted((a, b) => a - b)
  const at = (share: number): number => lines[Math.floor((lines.length - 1) * share)] ?? 0
  return { count: lines.length, median: at(0.5), most: at(0.9), longest: at(1) }
}
