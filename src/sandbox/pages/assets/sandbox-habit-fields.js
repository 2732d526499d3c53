/* The fields of a behaviour. */
import { facts } from './sandbox-elements.js'

const asked = {
  type: 'group',
  label: 'Speed and credentials',
  fields: [
    { pointer: '/latencyMs', label: 'Latency in ms', type: 'number', placeholder: '0' },
    {
      pointer: '/auth',
      label: 'Credential asked for',
      isOptional: true,
      isWide: true,
      placeholder: 'none',
      hint: 'bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE',
      options: [
        'bearer:secret',
        'basic:user:secret',
        'header:X-Api-Key:secret',
        'query:key:secret',
      ],
    },
  ],
}

const filters = {
  type: 'group',
  label: 'Filters that are ignored',
  fields: ['leaves', 'timesheets', 'schedules'].map((list) => ({
    pointer: `/filters/${list}`,
    label: `of ${list}`,
    type: 'flag',
    on: 'ignored',
    off: undefined,
  })),
}

const paging = {
  type: 'group',
  label: 'Paging',
  fields: [
    {
      pointer: '/pagination',
      label: 'Style',
      isOptional: true,
      isWide: true,
      placeholder: 'limit and cursor',
      hint: 'none, link, page:PAGE,SIZE,N or offset:OFFSET,LIMIT,N',
      options: ['none', 'link', 'page:page,per_page,50', 'offset:offset,limit,50'],
    },
    { pointer: '/pageSize', label: 'Records of a page', type: 'number', placeholder: '100' },
  ],
}

const parameters = {
  type: 'group',
  label: 'Other names of parameters',
  isFolded: true,
  fields: Object.entries(facts.parameters).flatMap(([list, names]) =>
    Object.entries(names).map(([name, usual]) => ({
      pointer: `/parameters/${list}/${name}`,
      label: `${list}: ${name}`,
      isOptional: true,
      placeholder: usual ?? '',
    })),
  ),
}

/** A line for each of its faults among them. */
export function habitFields({ faults = [] }) {
  const lines = faults.map((_fault, index) => faultLine(index))
  const acts = [{ text: 'Add a fault', change: withFault }]
  const listed = { type: 'group', label: 'Faults', looks: 'lines', fields: lines, acts }
  return [asked, listed, filters, paging, parameters]
}

function faultLine(index) {
  const at = `/faults/${index}`
  return {
    type: 'group',
    label: `Fault ${index + 1}`,
    looks: 'fault-line',
    fields: [
      { pointer: `${at}/operation`, label: 'Operation', type: 'choice', options: facts.operations },
      { pointer: `${at}/status`, label: 'Status', type: 'number' },
      {
        pointer: `${at}/rate`,
        label: 'Rate, 0–1',
        type: 'number',
        step: 'any',
        placeholder: '1',
      },
      {
        pointer: `${at}/retryAfter`,
        label: 'Retry-After, s',
        type: 'number',
        placeholder: 'none',
      },
    ],
    acts: [
      {
        text: 'Remove',
        label: `Remove fault ${index + 1}`,
        change: (it) => withoutFault(it, index),
      },
    ],
  }
}

function withFault(behaviour) {
  const fault = { operation: 'listLeaves', status: 503, rate: 1 }
  return { ...behaviour, faults: [...(behaviour.faults ?? []), fault] }
}

function withoutFault({ faults, ...others }, index) {
  const left = faults.filter((_fault, at) => at !== index)
  return left.length === 0 ? others : { ...others, faults: left }
}
