import { sql } from 'kysely'

import type { Dialect } from '../../database/database.ts'
import type { Migration, MigrationHistory } from '../../database/migrate.ts'
import { foldIdsFurther, foldMails, sortNames } from './folding.ts'
import { makeOptionsSparse } from './sparse-options.ts'

/** SQL that differs between the databases. */
interface Words {
  /** Sorted by bytes: PostgreSQL would use the machine's locale. */
  readonly id: string
  readonly bytes: string
  /** For small rows found by key alone: SQLite then stores no second copy of the key. */
  readonly keyed: string
  /** Stops PostgreSQL from trying to compress compressed data. */
  readonly keepAsWritten: (table: string, column: string) => readonly string[]
}

const words: Readonly<Record<Dialect, Words>> = {
  sqlite: { id: 'text', bytes: 'blob', keyed: 'without rowid', keepAsWritten: () => [] },
  postgres: {
    id: 'text collate "C"',
    bytes: 'bytea',
    keyed: '',
    keepAsWritten: (table, column) => [
      `alter table ${table} alter column ${column} set storage external`,
    ],
  },
}

function step(name: string, statements: (of: Words) => readonly string[]): Migration {
  return {
    name,
    async up(queries, dialect) {
      for (const text of statements(words[dialect])) await sql.raw(text).execute(queries)
    },
  }
}

/** Locale, pattern of the name and first name in it, as of release 0.1. */
const defaultNames = [
  [
    'en',
    "substr(name, length(name) - 15) = '''s work calendar'",
    'substr(name, 1, length(name) - 16)',
  ],
  ['en', "name = 'Work calendar'", "''"],
  ['de', "substr(name, 1, 20) = 'Arbeitskalender von '", 'substr(name, 21)'],
  ['de', "name = 'Arbeitskalender'", "''"],
]

/** The history of the bridge's own tables; only append to it. */
export const storeHistory: MigrationHistory = {
  table: 'bridge_migrations',
  migrations: [
    step('feeds and links', ({ id, bytes, keyed }) => [
      `create table feeds (
        id ${id} primary key,
        company_id ${id} not null,
        user_ids text not null,
        audience text not null,
        name text not null,
        timezone text not null,
        locale text not null,
        options text not null,
        self_service_choices text,
        revision integer not null,
        leaves_shown integer not null,
        created_at bigint not null,
        revoked_at bigint,
        purged integer not null,
        closed_at bigint,
        closed_because text)`,
      'create index feeds_by_creation on feeds (created_at, id)',
      'create index feeds_by_company on feeds (company_id, created_at, id)',
      `create table feed_users (
        feed_id ${id} not null references feeds (id) on delete cascade,
        user_id ${id} not null,
        constraint feed_users_key primary key (feed_id, user_id)) ${keyed}`,
      'create index feed_users_by_user on feed_users (user_id, feed_id)',
      `create table links (
        feed_id ${id} not null references feeds (id) on delete cascade,
        token_hash ${bytes} primary key,
        label ${id} not null,
        created_at bigint not null,
        ends_at bigint,
        fingerprint text,
        etag text,
        last_modified bigint,
        constraint links_by_label unique (feed_id, label))`,
    ]),
    step('ledgers', ({ id, bytes, keepAsWritten }) => [
      `create table ledgers (
        feed_id ${id} primary key references feeds (id) on delete cascade,
        version integer not null,
        entries ${bytes} not null)`,
      ...keepAsWritten('ledgers', 'entries'),
    ]),
    step('snapshots', ({ id, bytes, keyed, keepAsWritten }) => [
      `create table snapshot_heads (
        connection_id ${id} not null,
        key ${id} not null,
        content_hash text not null,
        begun_at bigint not null,
        fetched_at bigint not null,
        reach_past_days integer,
        reach_future_days integer,
        missing_since bigint,
        constraint snapshot_heads_key primary key (connection_id, key)) ${keyed}`,
      `create table snapshot_bodies (
        connection_id ${id} not null,
        key ${id} not null,
        records ${bytes} not null,
        constraint snapshot_bodies_key primary key (connection_id, key),
        constraint snapshot_bodies_head foreign key (connection_id, key)
          references snapshot_heads (connection_id, key) on delete cascade)`,
      ...keepAsWritten('snapshot_bodies', 'records'),
    ]),
    step('leave owners and proofs', ({ id, keyed }) => [
      `create table leave_owners (
        connection_id ${id} not null,
        leave_id ${id} not null,
        user_id ${id} not null,
        contested integer default 0 not null,
        constraint leave_owners_key primary key (connection_id, leave_id, user_id)) ${keyed}`,
      `create index contested_leaves on leave_owners (connection_id, leave_id, user_id)
        where contested = 1`,
      `create table proofs (
        connection_id ${id} primary key,
        state text not null,
        reason text,
        since bigint not null)`,
    ]),
    step('examinations', ({ id }) => [
      `create table examinations (
        connection_id ${id} primary key,
        company_id ${id} not null,
        ok integer not null,
        findings text not null,
        examined_at bigint not null)`,
    ]),
    step('ends of links and creations', ({ id }) => [
      'alter table links add column ending_since bigint',
      'alter table links add column purged integer default 0 not null',
      `create table creations (
        key_hash ${id} primary key,
        request_hash text not null,
        feed_ids text not null,
        created_at bigint not null)`,
      'create index creations_by_age on creations (created_at)',
    ]),
    step('activity', ({ bytes, keyed }) => [
      `create table activity (
        token_hash ${bytes} not null references links (token_hash) on delete cascade,
        client text not null,
        first_polled_at bigint not null,
        last_polled_at bigint not null,
        last_status integer not null,
        polls bigint not null,
        has_change_of bigint,
        constraint activity_key primary key (token_hash, client)) ${keyed}`,
    ]),
    step('leavers', ({ id, keyed }) => [
      `create table leavers (
        company_id ${id} not null,
        user_id ${id} not null,
        because text not null,
        since bigint not null,
        read_at bigint not null,
        left_at bigint,
        constraint leavers_key primary key (company_id, user_id)) ${keyed}`,
    ]),
    // Existing copies may contain reasons: they count as if they did until they are checked.
    step('reasons in copies', () => [
      'alter table snapshot_heads add column with_reasons integer default 1 not null',
      `create index copies_with_reasons on snapshot_heads (connection_id, key)
        where with_reasons = 1`,
    ]),
    { name: 'sparse options', up: makeOptionsSparse },
    // Keys and indexes keep their old names, because SQLite cannot rename them.
    step('words of the house', () => [
      'alter table snapshot_heads rename to copies',
      'alter table snapshot_bodies rename to copy_records',
      'alter table leavers rename to departures',
    ]),
    // A leave returned for one employee is theirs; one returned for several has no owner.
    step('owners of leaves', () => [
      'alter table leave_owners add column is_owner integer default 0 not null',
      'alter table leave_owners add column since bigint default 0 not null',
      'alter table leave_owners add column absent_since bigint',
      'update leave_owners set is_owner = 1 where contested = 0',
      'create index leaves_of_owner on leave_owners (connection_id, user_id, leave_id)',
      'alter table proofs add column battery_at bigint',
      'alter table proofs add column tried_at bigint',
      'alter table proofs add column credential text',
    ]),
    step('doubts', () => [
      'alter table copies add column doubt text',
      'alter table copies add column held text',
      'alter table copies add column emptied_at bigint',
      'create index doubted_copies on copies (connection_id, key) where doubt is not null',
    ]),
    step('instants of purges', () => [
      'alter table feeds add column purged_at bigint',
      'update feeds set purged_at = revoked_at where purged = 1',
      'alter table feeds drop column purged',
    ]),
    step('collections shown', () => [
      `alter table feeds add column shown text default '[]' not null`,
    ]),
    step('people', ({ id, keyed }) => [
      `create table people (
        company_id ${id} not null,
        user_id ${id} not null,
        folded_id ${id} not null,
        reversed_id ${id} not null,
        first_name text,
        last_name text,
        email text,
        manager_id ${id},
        state text not null,
        seen_at bigint not null,
        read_at bigint,
        due_at bigint not null,
        constraint people_key primary key (company_id, user_id)) ${keyed}`,
      'create index people_by_folded_id on people (company_id, folded_id, user_id)',
      'create index people_by_reversed_id on people (company_id, reversed_id, user_id)',
      'create index people_by_due_at on people (company_id, due_at, user_id)',
      `create table erased_people (mark ${id} primary key)`,
      `create table look_rounds (
        company_id ${id} primary key,
        looked_at bigint,
        due_at bigint not null,
        problems text not null,
        read_at bigint not null)`,
    ]),
    // Departures that could have been believed but were not had been held back; no column said so.
    step('departures held back', () => [
      'alter table departures add column was_here integer default 1 not null',
      'alter table departures add column held_back integer default 0 not null',
      `update departures set held_back = 1
        where left_at is null and (because = 'user_inactive' or read_at - since >= 86400000)`,
      'create index departures_by_day on departures (company_id, since)',
    ]),
    // This index alone is enough to count feeds.
    step('ends of feeds', () => ['create index feeds_by_end on feeds (revoked_at, closed_at)']),
    step('feeds never polled', () => [
      'alter table feeds add column polled integer default 0 not null',
      `update feeds set polled = 1 where id in (
        select feed_id from links join activity on activity.token_hash = links.token_hash
          where client <> 'browser')`,
      'create index feeds_never_polled on feeds (created_at, id) where polled = 0',
    ]),
    step('feeds by state', () => [
      'create index feeds_revoked on feeds (created_at, id) where revoked_at is not null',
      'create index feeds_closed on feeds (created_at, id) where closed_at is not null',
    ]),
    // Until now, what the holder of any link chose applied to all links of the feed.
    step('choices of links', () => [
      'alter table links add column choices text',
      `update links set choices =
        (select self_service_choices from feeds where feeds.id = links.feed_id)`,
      'alter table feeds drop column self_service_choices',
    ]),
    // Each link starts with the feed's ledger, and counts separately from now on.
    step('ledgers of links', ({ bytes, keepAsWritten }) => [
      'alter table ledgers rename to ledgers_of_feeds',
      `create table ledgers (
        token_hash ${bytes} primary key references links (token_hash) on delete cascade,
        version integer not null,
        entries ${bytes} not null)`,
      ...keepAsWritten('ledgers', 'entries'),
      `insert into ledgers (token_hash, version, entries)
        select token_hash, version, entries from links
        join ledgers_of_feeds on ledgers_of_feeds.feed_id = links.feed_id`,
      'drop table ledgers_of_feeds',
    ]),
    { name: 'ids folded further', up: foldIdsFurther },
    step('access', ({ id, bytes, keyed }) => [
      `create table tokens (
        name ${id} primary key,
        token_hash ${bytes} not null unique,
        role text not null,
        company_id ${id},
        created_at bigint not null,
        last_used_at bigint)`,
      `create table sessions (
        cookie_hash ${bytes} primary key,
        company_id ${id},
        user_id ${id},
        staff_actor text,
        staff_role text,
        created_at bigint not null,
        ends_at bigint not null) ${keyed}`,
      `create table audit (
        id ${id} primary key,
        at bigint not null,
        actor text not null,
        action text not null,
        company_id ${id},
        feed_id ${id},
        user_ids text not null,
        label text)`,
      'create index audit_by_time on audit (at, id)',
      'create index audit_by_company on audit (company_id, at, id)',
      'create index audit_by_feed on audit (feed_id, at, id)',
      `create table lost_links (
        company_id ${id} not null,
        user_id ${id} not null,
        asked_at bigint not null,
        id ${id} not null,
        constraint lost_links_key primary key (company_id, user_id, asked_at, id)) ${keyed}`,
    ]),
    { name: 'folded mail addresses', up: foldMails },
    // Token names of one company no longer restrict those of another.
    step('tokens named by company', ({ id, bytes }) => [
      'alter table tokens rename to tokens_by_name',
      `create table tokens (
        token_hash ${bytes} primary key,
        name ${id} not null,
        role text not null,
        company_id ${id},
        created_at bigint not null,
        last_used_at bigint)`,
      `insert into tokens (token_hash, name, role, company_id, created_at, last_used_at)
        select token_hash, name, role, company_id, created_at, last_used_at from tokens_by_name`,
      'drop table tokens_by_name',
      `create unique index tokens_of_company on tokens (name, coalesce(company_id, ''))`,
    ]),
    // While the new columns are empty, people are recognised by the name and mail in their row.
    step('newcomers', ({ id, keyed }) => [
      `create table newcomers (
        company_id ${id} not null,
        user_id ${id} not null,
        since bigint not null,
        read_at bigint not null,
        confirmed_at bigint,
        constraint newcomers_key primary key (company_id, user_id)) ${keyed}`,
      'alter table people add column known_name text',
      'alter table people add column known_mail text',
      `create table trusted_credentials (
        connection_id ${id} primary key,
        credential text not null,
        doubted_since bigint)`,
      `insert into trusted_credentials (connection_id, credential)
        select connection_id, credential from proofs where credential is not null`,
    ]),
    step('mailed links that await a poll', () => [
      'alter table links add column awaits_poll integer default 0 not null',
    ]),
    step('roll calls', () => [
      'alter table departures add column cleared integer default 0 not null',
      'alter table look_rounds add column called_at bigint default 0 not null',
    ]),
    step('owners who are gone', () => [
      'alter table leave_owners add column is_gone integer default 0 not null',
    ]),
    // Names that nobody has set follow the language from now on. Where a holder has chosen a language, the name stays, so
    // that no calendar changes.
    step('default names', () => [
      'alter table feeds add column named_after text',
      ...defaultNames.map(
        ([locale, isDefault, firstName]) => `update feeds set named_after = ${firstName}
          where audience = 'own' and locale = '${locale}' and ${isDefault}
          and not exists (
            select 1 from links where feed_id = feeds.id and choices like '%"locale"%')`,
      ),
    ]),
    // Calendars from before have no colours, so that none changes.
    step('colours', () => [
      `update feeds set own_options = case own_options when '{}' then '{"colors":false}'
        else '{"colors":false,' || substr(own_options, 2) end
        where own_options like '{%}'`,
    ]),
    step('company defaults', ({ id }) => [
      'alter table feeds add column locale_set integer default 0 not null',
      `create table company_defaults (
        company_id ${id} primary key,
        revision integer not null,
        defaults text not null)`,
    ]),
    step('teams', ({ id }) => [
      `alter table feeds add column team_manager_id ${id}`,
      'alter table feeds add column team_depth text',
      `create index feeds_by_team_manager on feeds (company_id, team_manager_id)
        where team_manager_id is not null`,
    ]),
    // Calendars for others that showed kinds of leave go on showing all of them. In JSON text only the option itself looks
    // like this: in a string, its quotes would be escaped.
    step('private categories', () => [
      `update feeds set own_options = replace(replace(own_options,
        '"detail":"type"', '"privateCategories":[],"detail":"type"'),
        '"detail":"full"', '"privateCategories":[],"detail":"full"')
        where audience = 'others' and (own_options like '%"detail":"type"%'
          or own_options like '%"detail":"full"%')`,
    ]),
    { name: 'people by name', up: sortNames },
    step('who reports to whom', () => [
      'alter table people add column manager_missing_since bigint',
      // SQLite uses it only if it has every column that a search for members reads.
      `create index people_by_manager
        on people (company_id, manager_id, user_id, manager_missing_since)
        where manager_id is not null`,
      `create index people_without_manager on people (company_id, user_id)
        where manager_missing_since is not null`,
    ]),
    step('sessions by token', ({ bytes }) => [
      `alter table sessions add column staff_token ${bytes}`,
    ]),
    step('refused mails', () => [
      `create index audit_of_refused_mails on audit (company_id, at, feed_id)
        where action = 'mail_refused'`,
    ]),
    step('copies of drafts', () => [
      'alter table copies add column of_draft integer not null default 0',
      'create index copies_of_drafts on copies (connection_id, key) where of_draft = 1',
    ]),
    step('sync histories', ({ bytes }) => [`alter table ledgers add column history ${bytes}`]),
  ],
}
