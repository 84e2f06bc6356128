/** @file The forecast of a plan's run, stored when it begins, and the actual result. */
import type { RunForecast } from '../../../src-contract/runs/run.ts';
import { z } from '../../../src-contract/schema.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Catalogue } from '../database.ts';
import { CatalogueTable } from '../catalogue-table.ts';
import { jsonColumn } from '../rows.ts';
import { endedStatusesSql } from '../runs/ended.ts';

const maxListed = 5;

const storedForecastSchema = z.object({
  endsAt: z.number(),
  count: z.number().int(),
  known: z.number().int(),
});
/** The stored forecast of a run, from the run's creation to `endsAt` in epoch milliseconds. */
export type StoredForecast = z.infer<typeof storedForecastSchema>;

const runRow = z.object({
  startsAt: z.number(),
  forecast: jsonColumn.pipe(storedForecastSchema.nullable()),
  endedAt: z.number().nullable(),
  stored: z.number().int(),
  open: z.number().int(),
  cancelled: z.number().int(),
});
const timeRow = z.object({ project: z.string(), expectedMs: z.number(), tookMs: z.number() });

const durationSqlOf = (job: string): string => `(SELECT s.finished_at - r.started_at FROM job_steps r
    JOIN job_steps s ON s.job_id = r.job_id AND s.step = 'store' AND s.finished_at >= r.started_at
    WHERE r.job_id = ${job} AND r.step = 'request')`;

export function storeForecast(catalogue: Catalogue, runId: string, forecast: StoredForecast | null): void {
  const json = forecast === null ? null : JSON.stringify(forecast);
  catalogue.run('UPDATE runs SET forecast = ? WHERE id = ?', json, runId);
}

export class RunForecasts extends CatalogueTable {
  /** Returns null if no forecast was stored, or there is no such run. */
  forRun(runId: string): RunForecast | null {
    const count = (status: string): string => `count(*) FILTER (WHERE jobs.status = '${status}')`;
    const run = this.catalogue.row(
      'runs',
      runRow,
      `SELECT runs.created_at AS startsAt, runs.forecast, max(jobs.updated_at) AS endedAt, ${count('succeeded')} AS stored,
           ${count('cancelled')} AS cancelled,
           count(*) FILTER (WHERE jobs.status NOT IN ${endedStatusesSql}) AS open
         FROM runs LEFT JOIN run_jobs ON run_jobs.run_id = runs.id LEFT JOIN jobs ON jobs.id = run_jobs.job_id
         WHERE runs.id = ? GROUP BY runs.id`,
      runId,
    );
    if (run === null || run.forecast === null) return null;
    const { startsAt, forecast, endedAt, stored, open, cancelled } = run;
    const isComplete = stored > 0 && open === 0 && cancelled === 0;
    return {
      ...forecast,
      startsAt: isoTime(startsAt),
      endsAt: isoTime(forecast.endsAt),
      came:
        !isComplete || endedAt === null
          ? null
          : { endedAt: isoTime(endedAt), furthestOff: this.#largestDeviations(runId) },
    };
  }

  #largestDeviations(runId: string): z.output<typeof timeRow>[] {
    return this.catalogue.rows(
      'job_steps',
      timeRow,
      `SELECT project, expectedMs, tookMs FROM (
           SELECT j.project, ${durationSqlOf('j.id')} AS tookMs, ${durationSqlOf(
             `(SELECT max(b.id) FROM jobs b WHERE b.kind = 'export' AND b.instance = j.instance
                 AND b.project = j.project COLLATE NOCASE AND b.id < j.id AND b.status = 'succeeded')`,
           )} AS expectedMs
             FROM run_jobs JOIN jobs j ON j.id = run_jobs.job_id
             WHERE run_jobs.run_id = @runId AND j.kind = 'export' AND j.status = 'succeeded')
         WHERE tookMs <> expectedMs ORDER BY abs(tookMs - expectedMs) DESC, project LIMIT @maxListed`,
      { runId, maxListed },
    );
  }
}
