//! Times GetItem and Query of the newest 50 messages by each way to a database. bench.py writes the
//! requests, starts the server and runs this program. Its arguments are the number of rounds and the
//! seconds of one way in one round. It prints a line for each round: way, workload, nanoseconds.

mod calls;
mod sqlite;
mod ways;

use std::hint::black_box;
use std::time::{Duration, Instant};

use calls::{read_calls, Call};
use ways::{Prepare, Read};

type AnyError = Box<dyn std::error::Error + Send + Sync>;

const WORKLOADS: [&str; 2] = ["get_item", "query_newest_50"];

/// Prepares the calls. Checks once that each of them finds its items.
async fn prepared(prepare: &Prepare, calls: &[Call]) -> Result<Vec<Read>, AnyError> {
    let mut reads = Vec::new();
    for call in calls {
        let read = prepare(call);
        let found = read().await?.items()?;
        if found != call.items {
            return Err(format!("found {found:?}").into());
        }
        reads.push(read);
    }
    Ok(reads)
}

/// Reads for this time. Returns the nanoseconds of a call.
async fn measured(reads: &[Read], time: Duration) -> Result<f64, AnyError> {
    let begin = Instant::now();
    let mut calls = 0_u32;
    while begin.elapsed() < time {
        for read in reads {
            black_box(read().await?);
        }
        calls += u32::try_from(reads.len())?;
    }
    Ok(begin.elapsed().as_nanos() as f64 / f64::from(calls))
}

async fn run(rounds: usize, time: Duration) -> Result<(), AnyError> {
    for (way, prepare) in ways::all()? {
        for workload in WORKLOADS {
            let reads = prepared(&prepare, &read_calls(workload)?).await?;
            measured(&reads, time).await?; // fills the caches
            for _ in 0..rounds {
                println!("{way} {workload} {}", measured(&reads, time).await?);
            }
        }
    }
    Ok(())
}

fn main() -> Result<(), AnyError> {
    let arguments: Vec<_> = std::env::args().collect();
    let (rounds, seconds) = (arguments[1].parse()?, arguments[2].parse()?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    // In a task, because most programs call the SDK in tasks.
    runtime.block_on(runtime.spawn(run(rounds, Duration::from_secs_f64(seconds))))?
}
