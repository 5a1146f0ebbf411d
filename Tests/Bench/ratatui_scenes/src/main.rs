//! The scenes of `make bench` in ratatui: `ratatui_scenes list`, `table` or `screens`. `q` quits.
//!
//! Each frame builds only the visible rows, since that is ratatui's fastest way to show a long list.

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind};
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{List, ListItem, ListState, Paragraph, Row, Table, TableState};
use ratatui::Frame;

/// The selected row of a list and its first visible row.
struct Selection {
    rows: usize,
    selected: usize,
    top: usize,
}

impl Selection {
    fn new(rows: usize) -> Self {
        Selection { rows, selected: 0, top: 0 }
    }

    /// Moves the selection for a key, with pages of `height` rows.
    fn handle(&mut self, key: KeyCode, height: usize) {
        let last = self.rows - 1;
        self.selected = match key {
            KeyCode::Down => (self.selected + 1).min(last),
            KeyCode::Up => self.selected.saturating_sub(1),
            KeyCode::PageDown => (self.selected + height).min(last),
            KeyCode::PageUp => self.selected.saturating_sub(height),
            KeyCode::Home => 0,
            KeyCode::End => last,
            _ => self.selected,
        };
    }

    /// Scrolls to the selected row and returns the visible rows.
    fn visible(&mut self, height: usize) -> std::ops::Range<usize> {
        if self.selected < self.top {
            self.top = self.selected;
        } else if self.selected >= self.top + height {
            self.top = self.selected + 1 - height;
        }
        self.top..(self.top + height).min(self.rows)
    }
}

enum Scene {
    List(Selection),
    Table(Selection),
    Screens(bool),
}

impl Scene {
    fn named(name: &str) -> Option<Scene> {
        match name {
            "list" => Some(Scene::List(Selection::new(100_000))),
            "table" => Some(Scene::Table(Selection::new(1000))),
            "screens" => Some(Scene::Screens(false)),
            _ => None,
        }
    }

    fn handle(&mut self, key: KeyCode, height: usize) {
        match self {
            Scene::List(selection) => selection.handle(key, height),
            Scene::Table(selection) => selection.handle(key, height - 1),
            Scene::Screens(second) => {
                if key == KeyCode::Char('x') {
                    *second = !*second
                }
            }
        }
    }

    fn draw(&mut self, frame: &mut Frame) {
        let area = frame.area();
        match self {
            Scene::List(selection) => draw_list(selection, frame, area),
            Scene::Table(selection) => draw_table(selection, frame, area),
            Scene::Screens(second) => draw_screen(*second, frame, area),
        }
    }
}

fn draw_list(selection: &mut Selection, frame: &mut Frame, area: Rect) {
    let visible = selection.visible(area.height as usize);
    let width = area.width as usize - 6;
    let items = visible.map(|row| {
        let title = format!("Row {row} of a list about climbs, sprints and descents");
        ListItem::new(format!("{title:width$}12 Nov"))
    });
    let list = List::new(items).highlight_style(Style::new().add_modifier(Modifier::REVERSED));
    let mut state = ListState::default().with_selected(Some(selection.selected - selection.top));
    frame.render_stateful_widget(list, area, &mut state);
}

fn draw_table(selection: &mut Selection, frame: &mut Frame, area: Rect) {
    let visible = selection.visible(area.height as usize - 1);
    let rows = visible.map(|row| Row::new((0..8).map(move |column| format!("r{row}-c{column}"))));
    let header = Row::new((0..8).map(|column| format!("Column {column}")));
    let table = Table::new(rows, [Constraint::Length(13); 8])
        .header(header)
        .column_spacing(2)
        .highlight_style(Style::new().add_modifier(Modifier::REVERSED));
    let mut state = TableState::default().with_selected(Some(selection.selected - selection.top));
    frame.render_stateful_widget(table, area, &mut state);
}

fn draw_screen(second: bool, frame: &mut Frame, area: Rect) {
    let first = if second { b'A' } else { b'a' };
    let lines = (0..area.height).map(|y| {
        let letters: String = (0..area.width).map(|x| char::from(first + ((x + y) % 26) as u8)).collect();
        Line::from(letters)
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), area);
}

fn main() -> std::io::Result<()> {
    let Some(mut scene) = std::env::args().nth(1).and_then(|name| Scene::named(&name)) else {
        eprintln!("usage: ratatui_scenes list|table|screens");
        std::process::exit(64);
    };
    let mut terminal = ratatui::init();
    loop {
        terminal.draw(|frame| scene.draw(frame))?;
        if let Event::Key(key) = event::read()? {
            if key.code == KeyCode::Char('q') {
                break;
            }
            if key.kind == KeyEventKind::Press {
                let height = terminal.size()?.height as usize;
                scene.handle(key.code, height);
            }
        }
    }
    ratatui::restore();
    Ok(())
}
