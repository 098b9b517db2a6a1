//! Simulates many landings with the real table: every chore has a turn in time, and chores whose files
//! changed come soon. Only the estimates of the table count, as in the plans themselves.
use super::ledger::Ledger;
use super::plan::{Plan, Reason, Relation, plan};
use super::table::{Chore, Table};

/// Seconds that installing tools takes out of the budget of a run.
const INSTALLATIONS: u64 = 100;

fn table() -> Table {
    Table::read().unwrap_or_else(|_| panic!("the table does not parse"))
}

/// The plans of `count` successive runs, each of which is recorded and passes. `changed` says how landing
/// number `run` relates to a chore.
fn landings(count: u32, changed: impl Fn(u32, &Chore) -> Relation) -> Vec<Plan> {
    let (table, mut ledger) = (table(), Ledger::default());
    let mut touched = vec![Relation::None; table.chores.len()];
    let mut plans = Vec::new();
    for run in 1..=count {
        for (old, chore) in touched.iter_mut().zip(&table.chores) {
            // The closest relation is the least. A change counts until the chore has its turn.
            *old = old.clone().min(changed(run, chore));
        }
        let plan = plan(&table, &ledger, run, table.budget - INSTALLATIONS, &touched);
        for &(index, _) in &plan.chosen {
            let chore = &table.chores[index];
            ledger.assume(&chore.run, run);
            touched[index] = Relation::None;
        }
        plans.push(plan);
    }
    plans
}

/// The longest time that a chore waited for its turn, in runs, and its name.
fn longest_wait(plans: &[Plan]) -> (u32, String) {
    let table = table();
    let waits = table.chores.iter().enumerate().map(|(index, chore)| {
        let turns = plans.iter().filter(|plan| plan.chosen.iter().any(|(taken, _)| *taken == index));
        let (mut last, mut longest) = (0, 0);
        // The wait that lasts when the simulation ends counts as well.
        for run in turns.map(|plan| plan.run).chain([plans.len() as u32 + 1]) {
            (last, longest) = (run, longest.max(run - last));
        }
        (longest, chore.run.clone())
    });
    waits.max().expect("a chore")
}

fn close(names: &[&str], chore: &Chore) -> Relation {
    let touches = |of: &[String]| of.iter().any(|name| names.contains(&name.as_str()));
    match (touches(&chore.close), touches(&chore.far)) {
        (true, _) => Relation::Close(names[0].into()),
        (_, true) => Relation::Far(names[0].into()),
        _ => Relation::None,
    }
}

const LANDINGS: u32 = 24;

#[test]
fn every_chore_has_a_turn_in_time_whatever_changes() {
    let table = table();
    let all: Vec<&str> = table.paths.keys().map(String::as_str).collect();
    let assert_in_time = |what: &str, plans: &[Plan]| {
        let (longest, chore) = longest_wait(plans);
        assert!(longest <= table.runs, "{what}: {chore} waits for {longest} runs");
    };
    assert_in_time("nothing changes", &landings(LANDINGS, |_, _| Relation::None));
    assert_in_time("everything changes", &landings(LANDINGS, |_, chore| close(&all, chore)));
    for name in &all {
        assert_in_time(name, &landings(LANDINGS, |_, chore| close(&[name], chore)));
    }
    let in_turn = |run: u32, chore: &Chore| close(&[all[(run as usize * 5) % all.len()]], chore);
    assert_in_time("each in turn", &landings(LANDINGS, in_turn));
    let once = |run, chore: &Chore| if run == 9 { close(&all, chore) } else { Relation::None };
    assert_in_time("everything, once", &landings(LANDINGS, once));
}

/// After many runs without changes, chores that test the curves run soon after the curves change.
#[test]
fn what_changed_comes_soon() {
    let table = table();
    let plans = landings(20, |run, chore| if run == 18 { close(&["curve"], chore) } else { Relation::None });
    // Run 18, whose landing changed the curves.
    let changed: Vec<&str> = plans[17]
        .chosen
        .iter()
        .filter(|(_, reason)| matches!(reason, Reason::Changed(_)))
        .map(|(index, _)| &table.chores[*index].run[..])
        .collect();
    assert!(changed.iter().any(|chore| chore.starts_with("curves")), "{changed:?}");
    assert!(changed.len() >= 2, "{changed:?}");
}

#[test]
fn a_run_fits_its_time() {
    let table = table();
    for plan in landings(LANDINGS, |_, _| Relation::None) {
        let mut sum = 0;
        let mut built = Vec::new();
        for (index, _) in plan.chosen {
            let chore = &table.chores[index];
            sum += chore.seconds;
            if let Some(build) = chore.build.as_ref().filter(|build| !built.contains(build)) {
                sum += table.builds[build];
                built.push(build);
            }
        }
        assert!(sum + INSTALLATIONS <= table.budget, "run {}: {sum} s", plan.run);
    }
}

#[test]
fn the_first_of_a_shared_build_pays_for_it() {
    let text = "budget=1\nruns=8\nbuilds={b=50}\npaths={p=['.ci']}\n\
        [[chore]]\nrun='docs'\nseconds=40\nclose=['p']\nbuild='b'\n[[chore]]\nrun='size'\nseconds=40\nclose=['p']\nbuild='b'\n";
    let table: Table = toml::from_str(text).expect("a table");
    let chosen = |left| plan(&table, &Ledger::default(), 1, left, &vec![Relation::None; 2]).chosen.len();
    // The build takes 50 seconds once, and each chore 40.
    assert_eq!([89, 90, 129, 130].map(chosen), [0, 1, 1, 2]);
}
