/* The program's own text, file by file, as a parser reads it. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { parseSync, type Program, Visitor } from 'oxc-parser'

export interface SourceFile {
  /** Its path below the folder that was read. */
  readonly file: string
  readonly text: string
  readonly lines: number
  readonly imports: readonly Import[]
  /** Every word that stands for something, members' names too. */
  readonly names: ReadonlySet<string>
  /** Those of them that stand by themselves, not behind a point. */
  readonly roots: ReadonlySet<string>
  /** Names of variables. */
  readonly variables: readonly string[]
  readonly functions: readonly SourceFunction[]
}

export interface Import {
  /** As it is written; undefined where it is not written down but computed. */
  readonly target: string | undefined
  readonly isType: boolean
}

export interface SourceFunction {
  /** From its first to its last. */
  readonly lines: number
  /** Has a body in braces, not a single expression. */
  readonly isBlock: boolean
}

/** Where the program lies. */
export const programFolder = path.resolve(import.meta.dirname, '../../../src')

/** Every file of the program below that folder, in the order of their names. */
export function readSourceFiles(folder: string = programFolder): readonly SourceFile[] {
  return globSync('**/*.{ts,cjs}', { cwd: folder })
    .toSorted()
    .map((file) => readSourceFile(file, readFileSync(path.join(folder, file), 'utf8')))
}

function readSourceFile(file: string, text: string): SourceFile {
  const { program } = parseSync(file, text)
  return {
    file,
    text,
    lines: linesOf(text.trimEnd()),
    imports: importsOf(program),
    ...namesOf(program),
    functions: functionsOf(program, text),
  }
}

/** Imports and exports of other files, whatever their form. */
function importsOf(program: Program): readonly Import[] {
  const found: Import[] = []
  const add = (target: string | undefined, isType = false): void => {
    found.push({ target, isType })
  }
  new Visitor({
    ImportDeclaration: ({ source, specifiers, importKind }) =>
      add(source.value, importKind === 'type' || areTypes(specifiers)),
    ExportNamedDeclaration: ({ source, exportKind }) => {
      if (source) add(source.value, exportKind === 'type')
    },
    ExportAllDeclaration: ({ source, exportKind }) => add(source.value, exportKind === 'type'),
    TSImportType: ({ source }) => add(source.value, true),
    ImportExpression: ({ source }) =>
      add(source.type === 'Literal' ? String(source.value) : undefined),
    CallExpression: ({ callee }) => {
      if (callee.type === 'Identifier' && callee.name === 'require') add(undefined)
    },
  }).visit(program)
  return found
}

function areTypes(specifiers: readonly { readonly type: string; importKind?: string }[]): boolean {
  return specifiers.length > 0 && specifiers.every(({ importKind }) => importKind === 'type')
}

function namesOf(program: Program): Pick<SourceFile, 'names' | 'roots' | 'variables'> {
  const names = new Set<string>()
  const roots = new Set<string>()
  const variables: string[] = []
  const members = new Set<number>()
  new Visitor({
    MemberExpression: ({ computed, property }) => {
      if (!computed) members.add(property.start)
    },
    Identifier: ({ name, start }) => {
      names.add(name)
      if (!members.has(start)) roots.add(name)
    },
    PrivateIdentifier: ({ name }) => void names.add(name),
    VariableDeclarator: ({ id }) => {
      if (id.type === 'Identifier') variables.push(id.name)
    },
  }).visit(program)
  return { names, roots, variables }
}

/** Functions, methods and arrow functions; declarations without a body are none. */
function functionsOf(program: Program, text: string): readonly SourceFunction[] {
  const found: SourceFunction[] = []
  const add = (node: { readonly start: number; readonly end: number }, isBlock: boolean): void => {
    found.push({ lines: linesOf(text.slice(node.start, node.end)), isBlock })
  }
  new Visitor({
    FunctionDeclaration: (node) => add(node, true),
    FunctionExpression: (node) => add(node, true),
    ArrowFunctionExpression: (node) => add(node, !node.expression),
  }).visit(program)
  return found
}

function linesOf(text: string): number {
  return text.split('\n').length
}
